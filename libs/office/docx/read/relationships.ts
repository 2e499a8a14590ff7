import { walkXml } from './sax.js';

/** Reads the targets of a part's relationships, by ID. */
export function readRelationships(xml: string): Map<string, string> {
  const targets = new Map<string, string>();
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name === 'Relationship') targets.set(attributes.Id ?? '', attributes.Target ?? '');
    },
  });
  return targets;
}
