/**
 * The form in which e-mail addresses are compared, stored for uniqueness and counted: NFC, lower case. The only place
 * that computes it: PostgreSQL and JavaScript disagree on the case of some characters (`İ`).
 */
export function canonicalEmail(email: string): string {
  // Lower-casing can take a character apart: composed again, the form is its own canonical form.
  return email.normalize('NFC').toLowerCase().normalize('NFC');
}
