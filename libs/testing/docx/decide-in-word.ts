import { unzipSync, zipSync } from 'fflate';

/** Which tracked changes a reviewer accepts, rejects (false) or leaves (null). */
type Decide = (author: string, id: string) => boolean | null;

const PARAGRAPH = /<w:p>(<w:pPr>(?:(?!<\/w:pPr>).)*<\/w:pPr>)?((?:(?!<\/w:p>).)*)<\/w:p>/gs;

/** Accepts and rejects tracked changes of a Word file as Word does. */
export function decideInWord(docx: Uint8Array, decide: Decide): Uint8Array {
  const files = unzipSync(docx);
  for (const path of ['word/document.xml', 'word/footnotes.xml'])
    if (files[path]) files[path] = Buffer.from(decided(Buffer.from(files[path]).toString('utf8'), decide));
  return zipSync(files);
}

function decided(xml: string, decide: Decide): string {
  const of = (attributes: string) =>
    decide(/w:author="([^"]*)"/.exec(attributes)?.[1] ?? '', /w:id="([^"]*)"/.exec(attributes)?.[1] ?? '');
  const words = xml
    .replace(/<w:del( [^>]*[^/])>(.*?)<\/w:del>/gs, (all, attributes: string, inner: string) => {
      const outcome = of(attributes);
      if (outcome === null) return all;
      return outcome ? '' : inner.replaceAll('w:delText', 'w:t');
    })
    .replace(/<w:ins( [^>]*[^/])>(.*?)<\/w:ins>/gs, (all, attributes: string, inner: string) => {
      const outcome = of(attributes);
      if (outcome === null) return all;
      return outcome ? inner : '';
    });
  let carried = '';
  return words.replace(PARAGRAPH, (_, properties: string | undefined, content: string) => {
    let isJoined = false;
    const kept = (properties ?? '').replace(
      /<w:(ins|del)( [^>]*)\/>/g,
      (mark, name: string, attributes: string) => {
        const outcome = of(attributes);
        if (outcome === null) return mark;
        if (outcome === (name === 'del')) isJoined = true;
        return '';
      },
    );
    const all = carried + content;
    carried = isJoined ? all : '';
    return isJoined ? '' : `<w:p>${kept.replace('<w:rPr></w:rPr>', '')}${all}</w:p>`;
  });
}
