import { SaxesParser } from 'saxes';

/** Attributes by local name. If a local name occurs twice, the last attribute counts. */
export type Attributes = Record<string, string>;

/** Receives the parts of an XML text; names are local, without a prefix. */
interface XmlHandlers {
  open(name: string, attributes: Attributes, fullName: string): void;
  close(name: string, fullName: string): void;
  text?(text: string): void;
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Walks through an XML text. Reads on after errors, so that damaged parts are listed as far as they are readable. */
export function walkXml(xml: string, { open, close, text }: XmlHandlers): void {
  const parser = new SaxesParser();
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name, attributes }) => {
    const local: Attributes = {};
    for (const [key, value] of Object.entries(attributes)) local[localName(key)] = value;
    open(localName(name), local, name);
  });
  parser.on('closetag', ({ name }) => close(localName(name), name));
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.write(xml).close();
}

/** Returns the local name of the root element; empty for none. */
export function rootName(xml: string): string {
  const start = xml.slice(0, 4_000).replace(/<\?[^>]{0,4000}\?>|<!--[^>]{0,4000}-->|<![^>]{0,4000}>/g, '');
  return localName(/<([\w.:-]+)/.exec(start)?.[1] ?? '');
}

/** Decodes a part of a package: UTF-8 unless it has the byte order mark of UTF-16. */
export function xmlText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Returns whether an on-off element such as `w:checked` is on. An element without a value is on. */
export const isOn = (value: string | undefined): boolean => !['0', 'false', 'off'].includes(value ?? '1');
