import { SaxesParser } from 'saxes';

/** An element of an XML document. */
interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  /** The element's text, except text in its children and text of white space only. */
  text: string;
  children: XmlElement[];
}

const MAX_DEPTH = 200;

/**
 * Parses XML. Entities that a document declares are not supported, so none can be expanded, and nothing is
 * fetched.
 *
 * @throws Error if the text is not well-formed or elements are nested deeper than 200 levels
 */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes: { ...attributes }, text: '', children: [] };
    if (open.length >= MAX_DEPTH) throw new Error(`elements are nested deeper than ${MAX_DEPTH}`);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element && text.trim() !== '') element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  if (root === null) throw new Error('no element found');
  return root;
}
