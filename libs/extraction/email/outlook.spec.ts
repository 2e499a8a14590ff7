import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';
import { extractText } from '../extract.js';

/** Properties of a message by their numbers: texts, bytes, or folders of further ones. */
interface Folder {
  [name: string]: string | Uint8Array | Folder;
}

/** Writes a message of Outlook. */
function outlookFile(root: Folder): Uint8Array {
  const entries: Entry[] = [];
  const add = (name: string, content: string | Uint8Array | Folder, type = TypeEnum.DIRECTORY): number => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf16le') : content;
    const at = entries.length;
    if (bytes instanceof Uint8Array) {
      entries.push({
        name,
        type: TypeEnum.DOCUMENT,
        binaryProvider: () => Uint8Array.from(bytes),
        length: bytes.length,
      });
      return at;
    }
    const folder: Entry = { name, type, length: 0, children: [] };
    entries.push(folder);
    for (const [key, value] of Object.entries(bytes)) folder.children!.push(add(key, value));
    return at;
  };
  add('Root Entry', root, TypeEnum.ROOT);
  return burn(entries);
}

const text = (tag: string) => `__substg1.0_${tag}001F`;
const bytesOf = (tag: string) => `__substg1.0_${tag}0102`;
const properties = (length: number) => ({ '__properties_version1.0': new Uint8Array(length) });
const message = (more: Folder = {}): Folder => ({
  ...properties(32),
  [text('0037')]: 'Plan für Mai',
  [text('0C1A')]: 'Reed, Tom',
  [text('5D01')]: 'tom@example.org',
  [text('1000')]: 'Berth C 14 is free.',
  '__recip_version1.0_#00000000': {
    ...properties(8),
    [text('3001')]: 'Ida Fenn',
    [text('39FE')]: 'ida@example.com',
  },
  ...more,
});
const attachment = (name: string, content: Folder): Folder => ({
  ...properties(8),
  [text('3707')]: name,
  ...content,
});

describe('messages of Outlook', () => {
  it('B8 are read as mails: sender, recipients, subject, text, attachments', async () => {
    const file = outlookFile(
      message({
        '__attach_version1.0_#00000000': attachment('fees.txt', {
          [bytesOf('3701')]: Buffer.from('Fee 120\n'),
        }),
      }),
    );
    expect((await extractText(file, 'a.msg')).text).toBe(
      '# Plan für Mai\n\n- From: Reed, Tom \\<tom@example.org>\n- To: Ida Fenn \\<ida@example.com>\n\nBerth C 14 is free.\n\n## Attachment: fees.txt\n\n```text\nFee 120\n```\n',
    );
  });

  it('B8 are read with their page', async () => {
    const html = '<meta charset="windows-1252"><p>Berth <b>C\xa014</b> is fr\xe9e.</p>';
    const file = outlookFile(message({ [bytesOf('1013')]: Buffer.from(html, 'latin1') }));
    expect((await extractText(file, 'a.msg')).text).toContain('frée');
  });

  it.each([
    ['another file', Buffer.from('no message')],
    ['a damaged one', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])],
  ])('B8 are refused with the reason: %s', async (_, bytes) => {
    await expect(extractText(bytes, 'a.msg')).rejects.toThrow(
      /a\.msg (?:is not an|cannot be read as an) e-mail/,
    );
  });
});
