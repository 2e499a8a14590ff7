import { growthOfOperations } from '#testing/operations.js';
import { EmbeddedImages } from '../embedded-images.js';
import { savedPageText } from './html.js';

describe('savedPageText', () => {
  it('X1 needs operations in proportion to the depth of lists within lists, not to its square', async () => {
    const links = '<a href="a">a</a> <a href="b">b</a>';
    const nested = (lists: number) =>
      savedPageText(
        `${'<ul><li>'.repeat(lists)}${links}${'</li></ul>'.repeat(lists)}<h1>T</h1>`,
        new EmbeddedImages('a.html'),
      );
    expect(await growthOfOperations(nested, 1_000)).toBeLessThan(2.5);
  });
});
