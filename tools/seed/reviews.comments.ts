/** Comments that people write with a rating, by the rating. */
export const COMMENTS: Readonly<Record<number, readonly string[]>> = {
  5: [
    'Exactly as described.',
    'Better than I hoped for.',
    'Bought a second one right away.',
    'Well made, and quick to arrive.',
    'In use every day, still like new.',
    'A present that was a great success.',
    'Worth every cent.',
    'Looks even better than in the pictures.',
  ],
  4: [
    'Good, only the packaging was damaged.',
    'Does what it should.',
    'Nice, a little smaller than I thought.',
    'Good quality for the price.',
    'Happy with it, delivery took a week.',
    'Solid. The instructions could be clearer.',
  ],
  3: [
    'All right for the price.',
    'Not bad, not special.',
    'The colour is not quite that of the picture.',
    'Works, but feels a little cheap.',
    'Half of what I expected.',
  ],
  2: [
    'Scratched when it came.',
    'Worked for a month.',
    'Smaller than it looks.',
    'I would not buy it again.',
    'The finish is poor.',
  ],
  1: ['Broke on the first day.', 'Sent it back.', 'Nothing like the picture.', 'A part was missing.'],
};
