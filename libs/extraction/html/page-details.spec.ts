import fc from 'fast-check';
import { pageDetails } from './page-details.js';

describe('the details of a web page', () => {
  it('A6 are its title, author and date of publication, from metadata of several forms', () => {
    const head = (tags: string) => `<!doctype html><head><title>The  tower</title>${tags}</head><p>Text`;
    expect(
      pageDetails(
        head(`<meta name="author" content="Ada Nowak"><meta property="article:published_time" content="2019-04-02T08:00:00Z">
          <meta property="og:title" content="The tower of the port">`),
      ),
    ).toEqual({ title: 'The tower of the port', author: 'Ada Nowak', date: '2019-04-02' });
    expect(
      pageDetails(
        head(`<script type="application/ld+json">{"@graph":[{"author":[{"name":"B. Kühn"}],"datePublished":"2021-12-31"}]}</script>
          <meta property="article:author" content="https://example.org/people/7">`),
      ),
    ).toEqual({ title: 'The tower', author: 'B. Kühn', date: '2021-12-31' });
    expect(pageDetails(head('<meta name="citation_publication_date" content="2008/11/05">')).date).toBe(
      '2008-11-05',
    );
    const marked =
      '<article><time datetime="2001-01-01">then</time><time itemprop="datePublished" datetime="2002-02-02">';
    expect(pageDetails(head(marked)).date).toBe('2002-02-02');
  });

  it('A6 are null if the page does not state them, or states an invalid date', () => {
    expect(pageDetails('<p>Plain')).toEqual({ title: null, author: null, date: null });
    expect(pageDetails('<meta name="date" content="2020-02-31"><meta name="author" content=" ">')).toEqual({
      title: null,
      author: null,
      date: null,
    });
    expect(pageDetails('<script type="application/ld+json">{broken</script>').author).toBeNull();
  });

  it('A6 can be read from any text', () => {
    const tag = fc.constantFrom(
      '<title>',
      '<meta name="author" content="',
      '<script type="application/ld+json">',
      'null',
      '[1]',
      '">',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string())), (parts) => {
        const { title, author, date } = pageDetails(parts.join(''));
        for (const line of [title, author]) expect(line ?? 'x').toMatch(/^[^\p{Cc}\p{Cs}]{1,300}$/u);
        expect(date ?? '2000-01-01').toMatch(/^\d{4}-\d{2}-\d{2}$/);
      }),
    );
  });
});
