import { SaxesParser } from 'saxes';

/** Prefixes in our readers, by the end of a namespace. Transitional documents have a year in it that strict ones omit. */
const PREFIXES: [ending: string, prefix: string][] = [
  ['/wordprocessingml/main', 'w'],
  ['/officeDocument/math', 'm'],
  ['/officeDocument/relationships', 'r'],
  ['/drawingml/main', 'a'],
  ['/drawingml/wordprocessingDrawing', 'wp'],
  ['/markup-compatibility', 'mc'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['/spreadsheetml/main', 's'],
  ['/drawingml/spreadsheetDrawing', 'xdr'],
  ['/presentationml/main', 'p'],
  ['/drawingml/chart', 'c'],
  ['/drawing/2014/chartex', 'cx'],
  ['/drawingml/diagram', 'dgm'],
  [':opendocument:xmlns:office:1.0', 'office'],
  [':opendocument:xmlns:text:1.0', 'text'],
  [':opendocument:xmlns:table:1.0', 'table'],
  [':opendocument:xmlns:style:1.0', 'style'],
  [':opendocument:xmlns:drawing:1.0', 'draw'],
  [':opendocument:xmlns:presentation:1.0', 'presentation'],
  [':opendocument:xmlns:form:1.0', 'form'],
  [':opendocument:xmlns:svg-compatible:1.0', 'svg'],
  [':opendocument:xmlns:xsl-fo-compatible:1.0', 'fo'],
  ['/www.w3.org/1999/xlink', 'xlink'],
  ['/www.w3.org/1998/Math/MathML', 'math'],
];

export type Attributes = Record<string, string>;

/** Returns whether a switch such as `w:strike` is on. A switch without a value is on. */
export const isOn = (value: string): boolean => value !== '0' && value !== 'false' && value !== 'off';

interface XmlHandlers {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text?(text: string): void;
}

/** Returns a decoder of a part of a file as XML: UTF-8 or, with a byte order mark, UTF-16. */
function decoderOf([first, second]: Uint8Array) {
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(!isWide ? 'utf-8' : first === 0xff ? 'utf-16le' : 'utf-16be');
}

/** Decodes a part of a file as XML. */
export const xmlOf = (bytes: Uint8Array): string => decoderOf(bytes).decode(bytes);

/** Number of bytes that are decoded together. */
const CHUNK_BYTES = 64 * 1024;

/** Decodes a part of a file as XML, in chunks: a word cut out of a text keeps all of the text in memory. */
function* chunksOf(bytes: Uint8Array): Generator<string> {
  const decoder = decoderOf(bytes);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    yield decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true });
  yield decoder.decode();
}

/**
 * Reads a part of an Office file. Names have the usual prefixes, whichever ones the file declares.
 *
 * @param xml as bytes if it may be large
 * @throws Error for damaged XML
 */
export function readXml(xml: string | Uint8Array, { open, close, text }: XmlHandlers): void {
  const parser = new SaxesParser();
  /** Usual prefix by declared prefix, where the two differ; '' is the default namespace. */
  const renamed = new Map<string, string>();
  const nameOf = (name: string): string => {
    if (renamed.size === 0) return name;
    const colon = name.indexOf(':');
    const prefix = renamed.get(colon < 0 ? '' : name.slice(0, colon));
    return prefix === undefined ? name : `${prefix}:${name.slice(colon + 1)}`;
  };
  parser.on('opentag', (tag) => {
    declare(tag.attributes as Attributes, renamed);
    if (renamed.size === 0) return open(tag.name, tag.attributes as Attributes);
    const attributes = Object.entries(tag.attributes as Attributes).map(([name, value]) => [
      name.includes(':') ? nameOf(name) : name,
      value,
    ]);
    open(nameOf(tag.name), Object.fromEntries(attributes) as Attributes);
  });
  parser.on('closetag', ({ name }) => close(nameOf(name)));
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  for (const chunk of typeof xml === 'string' ? [xml] : chunksOf(xml)) parser.write(chunk);
  parser.close();
}

function declare(attributes: Attributes, renamed: Map<string, string>): void {
  // Called for each element, so no list of the attributes is made.
  for (const name in attributes) {
    if (!name.startsWith('xmlns')) continue;
    const declared = name.slice('xmlns:'.length);
    const namespace = attributes[name]!.replace('/2006', '');
    const usual = PREFIXES.find(([ending]) => namespace.endsWith(ending))?.[1];
    if (usual !== undefined && usual !== declared) renamed.set(declared, usual);
  }
}
