const list = (text: string): string[] => text.split(', ');

export const FIRST_NAMES = list(
  'Ada, Alan, Amina, Anders, Andrea, Barbara, Carlos, Chiara, Claire, Daniel, Diego, Dorothy, Edith, Elena, Emil, ' +
    'Emma, Erik, Farah, Felix, Fatou, Grace, Hana, Hedy, Hugo, Ines, Ingrid, Ivan, Jana, Jonas, Julia, Kaito, ' +
    'Katherine, Kofi, Lars, Laura, Leila, Linus, Lucia, Malik, Maria, Marie, Mateo, Mei, Milan, Mina, Nadia, Niels, ' +
    'Nora, Olga, Omar, Oskar, Paula, Pedro, Priya, Rachel, Rafael, Rosa, Ruth, Samuel, Sara, Selma, Simon, Sofia, ' +
    'Stefan, Tariq, Thea, Tomas, Vera, Victor, Wanda, Yara, Yusuf, Zoe, Zuzana',
);

export const LAST_NAMES = list(
  'Lovelace, Turing, Hopper, Almeida, Andersen, Baker, Becker, Berg, Bianchi, Brandt, Carter, Castro, Chen, Costa, ' +
    'Dahl, Diallo, Dubois, Eriksen, Fernandez, Fischer, Fontaine, Garcia, Greene, Haddad, Hansen, Horvat, Hughes, ' +
    'Ito, Ivanov, Jansen, Johnson, Kaya, Keller, Khan, Kim, Klein, Kowalski, Larsen, Laurent, Lindgren, Lopez, ' +
    'Mancini, Marsh, Martin, Mensah, Meyer, Moreau, Moreno, Murphy, Nakamura, Nguyen, Novak, Okafor, Olsen, Osei, ' +
    'Parker, Patel, Pereira, Petrov, Quinn, Rahman, Ricci, Rossi, Sato, Schmidt, Silva, Singh, Sokolov, Svensson, ' +
    'Tanaka, Taylor, Vargas, Virtanen, Vogel, Walker, Weber, Wilson, Yilmaz, Zhang, Zimmer',
);
