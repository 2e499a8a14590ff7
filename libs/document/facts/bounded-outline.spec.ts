import { boundedOutline } from '../facts.js';

const headings = (count: number, level: number) =>
  Array.from({ length: count }, (_, index) => ({ level, title: `${level}.${index}`, line: index + 1 }));

describe('the outline of a run', () => {
  it('is complete up to 500 headings', () => {
    const outline = [...headings(100, 1), ...headings(400, 3)];
    expect(boundedOutline(outline)).toEqual(outline);
  });

  it('keeps every chapter of a longer document and drops its deepest levels', () => {
    const outline = Array.from({ length: 200 }, () => [
      ...headings(1, 1),
      ...headings(1, 2),
      ...headings(3, 4),
    ]).flat();
    expect(boundedOutline(outline)).toEqual(outline.filter(({ level }) => level < 4));
    expect(boundedOutline(headings(501, 1))).toHaveLength(500);
  });
});
