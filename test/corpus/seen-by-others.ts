import { extname } from 'node:path';
import { readDocx } from '#office/docx/read/read.js';
import { sourceForm } from '#verbatim/source/form.js';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { getDocumentProxy } from 'unpdf';

type Node = DefaultTreeAdapterTypes.Node;

const UNSEEN = new Set([
  'script',
  'style',
  'head',
  'template',
  'noscript',
  'iframe',
  'annotation',
  'annotation-xml',
]);

/** What a reader sees of a file, by readers that the product does not use for it; nothing for markdown, whose marks are not seen. */
export async function seenByOthers(name: string, bytes: Uint8Array): Promise<string[]> {
  const extension = extname(name).toLowerCase();
  if (extension === '.docx') return readDocx(bytes).blocks.map(({ text }) => text);
  if (extension === '.html' || extension === '.htm') return textNodes(Buffer.from(bytes).toString('utf8'));
  if (extension === '.pdf') return pdfItems(bytes);
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return ['code', 'table'].includes(sourceForm(name)) ? text.split('\n') : [];
}

const INLINE =
  /^(?:#.*|a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var)$/;

function textNodes(html: string): string[] {
  let text = '';
  const stack: Node[] = [parse(html)];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if (!INLINE.test(node.nodeName)) text += '\n';
    if (!('childNodes' in node) || UNSEEN.has(node.nodeName)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index--)
      stack.push(node.childNodes[index] as Node);
  }
  return text.split('\n');
}

async function pdfItems(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const found: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    found.push(
      items
        .map((item: object) =>
          'str' in item ? `${String(item.str)}${'hasEOL' in item && item.hasEOL ? '\n' : ''}` : '',
        )
        .join(''),
    );
  }
  await document.destroy();
  return found;
}
