import fc from 'fast-check';
import { extractText } from './extract.js';
import { transcriptText } from './transcript.js';

const extract = async (name: string, text: string) => (await extractText(Buffer.from(text), name)).text;

describe('A14 transcripts of recordings', () => {
  it('SubRip: adds a heading with the time about every minute, and keeps words as spoken', async () => {
    const srt = [
      '1\r\n00:00:01,000 --> 00:00:04,000\r\n<i>Welcome</i> to the harbour.\r\nIt is early.\r\n',
      '2\r\n00:00:58,500 --> 00:01:00,000\r\n{\\an8}The ferry leaves &amp; nobody waves.\r\n',
      '3\r\n00:01:01,250 --> 00:01:03,000\r\n- Are we late?\r\n- No.\r\n',
      '4\r\n01:02:03,000 --> 01:02:05,000\r\n# Goodbye\r\n',
    ].join('\r\n');
    expect(await extract('talk.srt', `\uFEFF${srt}`)).toBe(
      '## 00:00:01\n\nWelcome to the harbour. It is early. The ferry leaves & nobody waves.\n\n' +
        '## 00:01:01\n\n\\- Are we late? - No.\n\n## 01:02:03\n\n\\# Goodbye\n',
    );
  });

  it('WebVTT: reports notes, omits styles and settings, names speakers, and keeps repeated lines of rolling captions once', async () => {
    const vtt = `WEBVTT - a talk
Kind: captions

NOTE written by
a machine

STYLE
::cue { color: red }

intro
00:01.000 --> 00:03.000 align:start position:0%
<v Anna Nowak>We moved<00:00:01.500><c> the queue.</c>

00:03.000 --> 00:05.000
We moved the queue.
<v Anna Nowak>It took two evenings.

00:05.000 --> 00:07.000
<v Jan>Two&nbsp;evenings?
`;
    expect(await extract('talk.vtt', vtt)).toBe(
      '## 00:00:01\n\nAnna Nowak: We moved the queue. It took two evenings. Jan: Two evenings?\n\n' +
        [
          'header: - a talk',
          'header: Kind: captions',
          'note: written by',
          'note: a machine',
          'name of a caption: intro',
        ]
          .map((named) => `<!-- left out: ${named} -->\n`)
          .join('\n'),
    );
  });

  it('loses no words of a slightly malformed file', async () => {
    const said = '## 00:00:01\n\nThe ferry leaves. Nobody waves.\n';
    const cue = ['1', '00:00:01,000 --> 00:00:04,000', 'The ferry leaves.'];
    for (const [what, srt] of Object.entries({
      'an empty line within a cue': [...cue, '', 'Nobody waves.', ''].join('\n'),
      'an empty line before the words': [
        '1',
        '00:00:01,000 --> 00:00:04,000',
        '',
        'The ferry leaves.',
        'Nobody waves.',
      ].join('\n'),
      'line ends that were converted twice': [...cue, 'Nobody waves.', ''].join('\r\r\n'),
      'no empty lines': [...cue, '2', '00:00:05,000 --> 00:00:06,000', 'Nobody waves.'].join('\n'),
      'times without fractions, blanks and hours': [
        '1',
        '00:01-->00:04',
        'The ferry leaves.',
        'Nobody waves.',
      ].join('\n'),
      'cues that overlap': [...cue, '', '2', '00:00:02,000 --> 00:00:03,000', 'Nobody waves.'].join('\n'),
      'places on the screen': [
        '1',
        '00:00:01,000 --> 00:00:04,000 X1:1 X2:2',
        '{\\pos(192,210)}The <font color="#ff0">ferry</font> leaves.',
        'Nobody waves.',
      ].join('\n'),
    }))
      expect([what, await extract('talk.srt', srt)]).toEqual([what, said]);
    const rolling =
      'WEBVTT\n\n00:01.000 --> 00:03.000 align:start\n \nThe<00:01.500><c> ferry leaves.</c>\n\n' +
      '00:03.000 --> 00:03.010\nThe ferry leaves.\n \n\n61:00.000 --> 61:02.000\nNobody waves.\n';
    expect(await extract('talk.vtt', rolling)).toBe(
      '## 00:00:01\n\nThe ferry leaves.\n\n## 01:01:00\n\nNobody waves.\n',
    );
  });

  it('reports what is missing in a file without cues', async () => {
    await expect(extract('talk.vtt', 'WEBVTT\n\nNOTE nothing\n')).rejects.toThrow(
      'talk.vtt contains no captions',
    );
  });

  it('D4 carries a file without any time or mark of captions as text', async () => {
    expect(await extract('talk.srt', 'Ask * Moss.\n')).toBe('Ask * Moss.\n');
  });

  it('keeps every word of every cue, in order, and accepts any text', () => {
    const word = fc.stringMatching(/^[a-ząęłó]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 }),
        (said) => {
          const srt = said.map(
            (words, n) =>
              `${n}\n00:${String(n).padStart(2, '0')}:00,000 --> 00:59:59,000\nn${n} ${words.join(' ')}\n`,
          );
          const words = transcriptText(srt.join('\n'), 'a.srt')
            .replace(/^## .*$/gm, '')
            .split(/\s+/)
            .filter(Boolean);
          expect(words).toEqual(said.flatMap((one, n) => [`n${n}`, ...one]));
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', ':', ',', '-', '>', ' ', '\n', '<', 'v', '&', ';', '1') }),
        (text) => {
          try {
            transcriptText(text, 'a.srt');
          } catch (error) {
            expect((error as Error).message).toContain('no captions');
          }
        },
      ),
    );
  });
});
