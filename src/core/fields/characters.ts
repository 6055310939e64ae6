/** Length of a text in characters (code points), as PostgreSQL's `varchar(n)` counts. Copies nothing. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    // A pair of surrogates is one character.
    if ((text.codePointAt(i) as number) > 0xffff) {
      i++;
      count--;
    }
  }
  return count;
}
