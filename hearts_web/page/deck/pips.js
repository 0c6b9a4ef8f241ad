// Where the signs of a number card lie, in a field of 240 by 336.

const LEFT = 84;
const MIDDLE = 120;
const RIGHT = 156;
const TOP = 60;
const BOTTOM = 276;
const CENTRE = 168;
const THIRD = (BOTTOM - TOP) / 3;

const corners = [[LEFT, TOP], [RIGHT, TOP], [LEFT, BOTTOM], [RIGHT, BOTTOM]];
const sides = [[LEFT, CENTRE], [RIGHT, CENTRE]];
const four = [[LEFT, TOP + THIRD], [RIGHT, TOP + THIRD], [LEFT, BOTTOM - THIRD], [RIGHT, BOTTOM - THIRD]];
const middle = [MIDDLE, CENTRE];
const upper = [MIDDLE, (TOP + CENTRE) / 2];
const lower = [MIDDLE, (BOTTOM + CENTRE) / 2];

/** @type {Record<number, number[][]>} by rank: x and y of each sign */
export const PIPS = {
  2: [[MIDDLE, TOP], [MIDDLE, BOTTOM]],
  3: [[MIDDLE, TOP], middle, [MIDDLE, BOTTOM]],
  4: corners,
  5: [...corners, middle],
  6: [...corners, ...sides],
  7: [...corners, ...sides, upper],
  8: [...corners, ...sides, upper, lower],
  9: [...corners, ...four, middle],
  10: [...corners, ...four, [MIDDLE, TOP + THIRD / 2], [MIDDLE, BOTTOM - THIRD / 2]],
};
