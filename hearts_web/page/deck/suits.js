// The signs of the suits, as paths in a square of 100.

/** By the number of the suit: hearts, clubs, diamonds, spades. */
export const SUIT_PATHS = [
  'M50 91C22 67 5 51 5 31 5 16 16 7 28 7c10 0 18 6 22 15C54 13 62 7 72 7c12 0 23 9 23 24 0 20-17 36-45 60z',
  'M50 5a21 21 0 0 1 17 33.500a21 21 0 1 1-13 36.500c1 9 5 15 12 20H34c7-5 11-11 12-20a21 21 0 1 1-13-36.500A21 21 0 0 1 50 5z',
  'M50 3c9 18 22 34 37 47-15 13-28 29-37 47C41 79 28 63 13 50 28 37 41 21 50 3z',
  'M50 4c9 20 43 36 43 60 0 13-10 20-20 20-8 0-15-4-19-10 1 10 5 17 12 22H34c7-5 11-12 12-22-4 6-11 10-19 10C17 84 7 77 7 64 7 40 41 24 50 4z',
];

/** Words that name the suits in class names. */
export const SUIT_CLASSES = ['hearts', 'clubs', 'diamonds', 'spades'];
