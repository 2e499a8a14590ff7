import fc from 'fast-check';
import { FIRST_PAGE_PARTS, type FirstPagePart } from '#contracts/manuscript.js';
import { plainText } from '#office/structure/text.js';
import { buildStructure } from '#office/structure/build.js';
import { buildLedger, ledgerIssues } from '../ledger.js';
import type { LedgerSource } from '../schema.js';
import { withFirstPage } from './first-page.js';

const ALL = { parts: [...FIRST_PAGE_PARTS], language: 'en' };

/** Returns the entries of a first page by heading, without their links. */
function pageOf(files: Record<string, string>, parts: readonly FirstPagePart[] = FIRST_PAGE_PARTS) {
  const sources = Object.entries(files).map(([name, text]) => ({ name, text }));
  const page = withFirstPage('', sources, { parts, language: 'en' });
  const sections: Record<string, string[]> = {};
  let list: string[] = [];
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) sections[line.slice(3)] = list = [];
    else if (line.startsWith('- '))
      list.push(line.slice(2).replace(/ — \[[^\]]*\]\([^)]*#L([\d,]+)\)/, ' @$1'));
  }
  return sections;
}

const MAIL =
  '# Offer 17\n\n- From: Ann Lee \\<ann@x.org>\n- To: Bob \\<b@x.org>\n- Sent: Mon, 2 Mar 2026 09:12:00 +0100\n\nHi.\n';
const COMMIT =
  'commit 1a2b3c4d\nAuthor: Ann Lee <ann@x.org>\nDate:   Sun Mar 1 10:00:00 2026 +0100\n\n    Add it\n';

describe('65.6 the first page', () => {
  it('orders the times of logs, chats, messages, commits and minutes, and says which have no zone', () => {
    const files = {
      'app.log': '2026-03-02T08:12:01Z INFO start\n2026-03-02T08:13:00Z INFO end\n',
      'chat.txt': '[01.03.26, 12:00:00] Ann: hello\n',
      'mail.eml': MAIL,
      'git.txt': COMMIT,
      'minutes.md': '# Minutes of 28 February 2026\n\nText of 2026-01-01 09:00.\n',
    };
    expect(pageOf(files, ['timeline'])).toEqual({
      'Time line': [
        'Minutes of 28 February 2026 @1',
        'Date: Sun Mar 1 10:00:00 2026 +0100 · Add it @3,5',
        '\\[01.03.26, 12:00:00] Ann: hello @1, no time zone',
        'Offer 17 · Sent: Mon, 2 Mar 2026 09:12:00 +0100 @1,5',
        '2026-03-02T08:12:01Z INFO start @1',
        '2026-03-02T08:13:00Z INFO end @2',
      ],
    });
  });

  it('names each person once: of messages and commits, speakers and those who were present', () => {
    const files = {
      'a.eml': MAIL,
      'b.eml': MAIL,
      'git.txt': COMMIT,
      'talk.txt': 'Cy: Well.\nDee: Yes.\nCy: No.\n',
      'minutes.md': 'Present: Eve, Cy\n\nNote: this is no person.\n',
      'app.py': 'author: str = 1\n',
    };
    expect(pageOf(files, ['people'])).toEqual({
      People: [
        'From: Ann Lee \\<ann@x.org> @3',
        'To: Bob \\<b@x.org> @4',
        'Cy: Well. @1',
        'Dee: Yes. @2',
        'Present: Eve, Cy @1',
      ],
    });
  });

  it('finds decisions and actions by their marks only', () => {
    const files = {
      'minutes.md':
        '**Decision:** stay.\n\nWe decided to go.\n\n- [ ] Call Ann\n- [x] Done\n\n## Aufgaben\n\n- Eva: ruft an\n\nText.\n\n- no action\n',
      'app.py': '# TODO: read the limit\ntodo = 1\naction: int = 2\n',
      'chat.txt': '[01.03.26, 12:00:00] Ann: Beschluss: wir bleiben\n',
    };
    expect(pageOf(files, ['decisions', 'actions'])).toEqual({
      Decisions: ['Decision: stay. @1', '\\[01.03.26, 12:00:00] Ann: Beschluss: wir bleiben @1'],
      Actions: ['Call Ann @5', 'Eva: ruft an @10', '\\# TODO: read the limit @1'],
    });
  });

  it('finds figures with a unit, not in code', () => {
    const files = {
      'a.md': 'It holds 1,200 l.\n\nThere are 5 pumps.\n\nIt costs €12.\n',
      'a.log': 'took 5 ms\n',
    };
    expect(pageOf(files, ['figures'])).toEqual({ Figures: ['It holds 1,200 l. @1', 'It costs €12. @5'] });
  });

  it('shows first messages and errors of many entries, cuts long lines at a word and counts the rest', () => {
    const at = (i: number) => `2026-03-02T10:${String(i).padStart(2, '0')}:00Z`;
    const log = Array.from(
      { length: 60 },
      (_, i) => `${at(i)} ${i === 31 ? 'ERROR stop' : 'INFO go'} ${'word '.repeat(30)}`,
    );
    const shown = pageOf({ 'app.log': log.join('\n') }, ['timeline'])['Time line'] ?? [];
    expect(shown).toHaveLength(25);
    expect(shown.at(-1)).toBe('and 36 more');
    expect(shown.some((line) => line.includes('ERROR'))).toBe(true);
    expect(shown[0]).toMatch(/^2026-03-02T10:00:00Z INFO go (?:word )+… @1$/);
  });

  it('replaces the page that a manuscript has, and adds none if nothing is found', () => {
    const sources = [{ name: 'a.md', text: 'Decision: stay.\n' }];
    const page = withFirstPage('# A\n\nText.\n', sources, ALL);
    expect(withFirstPage(page, sources, { ...ALL, language: 'de' })).toBe(
      '# Erste Seite\n\n## Beschlüsse\n\n- Decision: stay. — [a.md, Zeile 1](/a.md#L1)\n\n# A\n\nText.\n',
    );
    expect(withFirstPage(page, [], ALL)).toBe('# A\n\nText.\n');
  });

  it.each([
    ['text without a heading', 'Decision: stay.\n\n## B\n\nText.\n\n# C\n\nEnd.\n'],
    ['an underlined heading', 'Title\n=====\n\nDecision: stay.\n'],
    ['a byte order mark', '\uFEFF# A\n\nDecision: stay.\n'],
    ['front matter', '---\ntitle: A\n---\n\n# A\n\nDecision: stay.\n'],
    ['Windows line ends', '# A\r\n\r\nDecision: stay.\r\n\r\n# B\r\n\r\nText.\r\n'],
    [
      'an own chapter with that name',
      '# A\n\nDecision: stay.\n\n## In short\n\nText.\n\n# First page\n\nMore.\n',
    ],
  ])('keeps the text when it is written again: %s', (_, text) => {
    const sources = [{ name: 'a.md', text }];
    const page = withFirstPage(text, sources, ALL);
    expect(withFirstPage(page, sources, ALL)).toBe(page);
    const [alone, ledger] = [text, page].map((own) =>
      buildLedger(own, sources, { policy: 'verbatim', zones: own === page }),
    );
    expect(ledger!.coverage).toBe(1);
    expect(ledgerIssues(ledger!).length).toBeLessThanOrEqual(ledgerIssues(alone!).length);
  });

  const words = fc.array(
    fc.constantFrom(
      'Decision:',
      'TODO',
      '5 kg',
      'Ann:',
      '2026-03-02 10:00',
      'a_b',
      '<x>',
      '|',
      '`c`',
      '[d](e.md)',
      '*',
      '#',
      '- [ ]',
      'long '.repeat(40),
    ),
    { maxLength: 5 },
  );
  const text = fc
    .array(
      words.map((all) => all.join(' ')),
      { maxLength: 12 },
    )
    .map((lines) => lines.join('\n'));
  const names = fc.constantFrom('a.md', 'b (1).txt', 'c/ü #.log', 'd.csv', 'e.eml');
  const files = fc
    .dictionary(names, text)
    .map((all) => Object.entries(all).map(([name, own]): LedgerSource => ({ name, text: own })));

  it('quotes only lines of the sources, each beside a link to the line, and carries nothing', () => {
    fc.assert(
      fc.property(files, (sources) => {
        const page = withFirstPage('', sources, ALL);
        const ledger = buildLedger(page, sources, { policy: 'verbatim', zones: true });
        expect(ledger.added.filter(({ kind }) => kind !== 'supported' && kind !== 'heading')).toEqual([]);
        expect(ledger.manuscript.carried).toBe(0);
        const entries = buildStructure(page).blocks.flatMap((block) =>
          block.type === 'list' ? block.items : [],
        );
        const shown = entries.map(({ blocks: [only] }) =>
          only && 'content' in only ? plainText(only.content) : '',
        );
        const supported = ledger.added.flatMap(({ supported_by }) => (supported_by ? [supported_by] : []));
        const quoted = shown.filter((line) => !/^and \d+ more$/.test(line));
        expect(quoted).toHaveLength(supported.length);
        quoted.forEach((line, at) => {
          const { source, line: number } = supported[at]![0]!;
          const original = sources.find(({ name }) => name === source)!.text.split('\n')[number - 1]!;
          const letters = (given: string) => given.match(/[\p{L}\p{N}]+/gu) ?? [];
          const quote = letters(line.slice(0, line.lastIndexOf(' — ')));
          expect(letters(original).join(' ')).toContain(quote[0]!);
          for (const word of quote) expect(original).toContain(word);
        });
      }),
    );
  });

  it('reports a changed entry, and one that leads to another line, as added text', () => {
    const sources = [{ name: 'a.md', text: 'Decision: stay.\n\nDecision: go.\n' }];
    const page = withFirstPage('', sources, ALL);
    for (const changed of [page.replace('stay', 'never stay'), page.replace('#L1)', '#L3)')]) {
      const ledger = buildLedger(changed, sources, { policy: 'verbatim', zones: true });
      expect(ledgerIssues(ledger).map(({ rule }) => rule)).toContain('SCR-added');
    }
  });
});
