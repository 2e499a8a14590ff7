import { SaxesParser, type SaxesTagPlain } from 'saxes';

interface SaxHandlers {
  open?(tag: SaxesTagPlain): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Parses XML in one pass. An empty string is an empty document: many parts of a package are optional. */
export function walkXml(xml: string, handlers: SaxHandlers): void {
  if (xml === '') return;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', (tag) => handlers.open?.(tag));
  parser.on('closetag', (tag) => handlers.close?.(tag.name));
  parser.on('text', (text) => handlers.text?.(text));
  parser.write(xml).close();
}
