import { SaxesParser } from 'saxes';

/** Elements that HTML does not close. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const NAMED_ENTITY = /^&(?:[A-Za-z][A-Za-z0-9]{0,31}|#x?[0-9A-Fa-f]{1,6});/;

/**
 * Rewrites XHTML as HTML. An HTML parser does not know empty elements such as `<title/>` or `<a id="x"/>` and
 * would read all that follows as their content. Returns damaged XHTML unchanged.
 */
export function htmlOf(xhtml: string): string {
  let html = '';
  let isDamaged = false;
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => {
    // Names such as &nbsp; are declared elsewhere. The parser leaves them unchanged.
    if (!message.includes('undefined entity')) isDamaged = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const written = Object.entries(attributes as Record<string, string>)
      .map(([key, value]) => ` ${key}="${escaped(value).replace(/"/g, '&quot;')}"`)
      .join('');
    html += `<${localName(name)}${written}>`;
  });
  parser.on('text', (text) => void (html += escaped(text)));
  parser.on('cdata', (text) => void (html += escaped(text)));
  parser.on('closetag', ({ name }) => {
    if (!VOID.has(localName(name))) html += `</${localName(name)}>`;
  });
  parser.write(xhtml).close();
  return isDamaged ? xhtml : html;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

const escaped = (text: string) =>
  text
    .replace(/&/g, (_, at: number) => (NAMED_ENTITY.test(text.slice(at, at + 40)) ? '&' : '&amp;'))
    .replace(/</g, '&lt;');
