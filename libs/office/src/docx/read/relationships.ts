import { walkXml } from './sax.js';

/** Targets of a part's relationships, by id. */
export function readRelationships(xml: string): Map<string, string> {
  const targets = new Map<string, string>();
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name === 'Relationship') targets.set(attributes.Id ?? '', attributes.Target ?? '');
    },
  });
  return targets;
}
