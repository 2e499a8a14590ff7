import { walkXml } from './sax.js';

interface Level {
  format: string;
  start: number;
  /** Character after the number. */
  delimiter: string;
}
interface Instance {
  abstract: string;
  restarts: Map<number, number>;
}

/** Counts list items like Word. */
export interface ReadNumbering {
  /** Returns the next item of a list instance at a level; `number` is null for bullets. */
  item(
    instance: string,
    level: number,
  ): { ordered: boolean; number: number | null; delimiter: string } | null;
}

export function readNumbering(xml: string): ReadNumbering {
  const { abstracts, instances } = parse(xml);
  /** Current numbers by abstract list and level; instances of one abstract list share them. */
  const counters = new Map<string, number[]>();
  const begun = new Set<string>();
  return {
    item: (id, level) => {
      const instance = instances.get(id);
      const definition = instance && abstracts.get(instance.abstract)?.[level];
      if (!instance || !definition) return null;
      const counts = counters.get(instance.abstract) ?? [];
      counters.set(instance.abstract, counts);
      const restart = instance.restarts.get(level);
      const first = restart !== undefined && !begun.has(`${id} ${level}`);
      begun.add(`${id} ${level}`);
      const known = counts[level];
      counts[level] = first ? restart : known === undefined ? definition.start : known + 1;
      counts.length = level + 1;
      const ordered = definition.format !== 'bullet' && definition.format !== 'none';
      return { ordered, number: ordered ? (counts[level] ?? null) : null, delimiter: definition.delimiter };
    },
  };
}

function parse(xml: string): { abstracts: Map<string, Level[]>; instances: Map<string, Instance> } {
  const abstracts = new Map<string, Level[]>();
  const instances = new Map<string, Instance>();
  let levels: Level[] | null = null;
  let instance: Instance | null = null;
  let index = 0;
  walkXml(xml, {
    open: ({ name, attributes }) => {
      const value = attributes['w:val'] ?? '';
      const level = levels?.[index];
      if (name === 'w:abstractNum') abstracts.set(attributes['w:abstractNumId'] ?? '', (levels = []));
      else if (name === 'w:num') {
        levels = null;
        instances.set(attributes['w:numId'] ?? '', (instance = { abstract: '', restarts: new Map() }));
      } else if (name === 'w:abstractNumId' && instance) instance.abstract = value;
      else if (name === 'w:lvl' || name === 'w:lvlOverride') index = Number(attributes['w:ilvl']);
      else if (name === 'w:startOverride') instance?.restarts.set(index, Number(value));
      else if (name === 'w:numFmt' && levels)
        levels[index] = { format: value, start: levels[index]?.start ?? 1, delimiter: '.' };
      else if (name === 'w:start' && levels)
        levels[index] = { format: 'decimal', start: Number(value), delimiter: '.' };
      else if (name === 'w:lvlText' && level && value.endsWith(')')) level.delimiter = ')';
    },
  });
  return { abstracts, instances };
}
