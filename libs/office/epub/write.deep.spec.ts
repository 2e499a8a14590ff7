import { aceReport } from '#testing/ace.js';
import { chromiumPath } from '#testing/browser.js';
import { BOOK, writeSample } from '#testing/epub-book.js';
import { itWhere } from '#testing/it-where.js';

describe('EPUB in Ace by DAISY', () => {
  itWhere(chromiumPath !== undefined).each(['en', 'de', 'pl'])(
    'B12 has no fault of accessibility in a book in %s',
    async (language) => {
      const book = await writeSample(BOOK, { title: 'Salt & Light', author: 'A. Finch', language });
      expect(await aceReport(book)).toEqual({ outcome: 'pass', faults: [] });
    },
    300_000,
  );

  itWhere(chromiumPath !== undefined)(
    'B12 shows a fault that a book has',
    async () => {
      const book = await writeSample('# One\n\n#### Four\n', { title: ' ' });
      expect((await aceReport(book)).outcome).toBe('fail');
    },
    300_000,
  );
});
