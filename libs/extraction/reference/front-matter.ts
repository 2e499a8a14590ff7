import type { Reference } from '#contracts/bibliography.js';
import { frontMatterLines } from '#markdown/front-matter.js';
import { parseYaml } from '#markdown/yaml.js';
import { referenceOfProperties } from './properties.js';

/** Reads the front matter of a Markdown text. */
export function frontMatterReference(text: string): Reference {
  const lines = text.split(/\r?\n/);
  const count = frontMatterLines(lines);
  if (count === 0) return {};
  const [data] = parseYaml(lines.slice(1, count - 1).join('\n'), 0);
  if (typeof data !== 'object' || data === null) return {};
  const fields = new Map(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  const first = (...names: string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  return referenceOfProperties({
    title: first('title'),
    authors: [first('author', 'authors', 'creator')].flat().map(nameIn),
    issued: first('date', 'year', 'published', 'issued'),
    publisher: first('publisher'),
    place: first('place', 'publisher-place', 'location'),
    container: first('journal', 'container-title', 'booktitle'),
    volume: first('volume'),
    issue: first('issue', 'number'),
    pages: first('pages', 'page'),
    url: first('url', 'link'),
    doi: first('doi'),
    isbn: first('isbn'),
    language: first('lang', 'language'),
  });
}

/** Returns an author's name, also of an object such as `{ name: … }` or `{ given: …, family: … }`. */
function nameIn(author: unknown): unknown {
  if (typeof author !== 'object' || author === null) return author;
  const { name, given, family } = author as Record<string, unknown>;
  if (typeof family === 'string') return typeof given === 'string' ? `${family}, ${given}` : family;
  return name;
}
