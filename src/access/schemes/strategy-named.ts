import passport from 'passport';

/** The strategy that Passport has under a name; `undefined`: none. */
export const strategyNamed = (name: string): object | undefined =>
  // Passport's types leave the lookup out.
  (passport as unknown as { _strategy(name: string): object | undefined })._strategy(name);
