import { baseName, folderOf, foldersAbove, isOverview } from '#contracts/source-name.js';
import { sourceForm } from '#verbatim/source/form.js';
import { chapterLine } from '../writers/headings.js';
import { asHeadingText, folderTitle } from './titles.js';

/** Place of a source in the document. */
export interface Place {
  /** Heading of its chapter; null if the source or its name says it. */
  title: string | null;
  /** Its name, with the folders that no heading names. */
  shown: string;
  /** Level of its chapter's heading. */
  level: number;
}

/** Folders deeper than these share a heading, so that the headings of a source have levels left. */
const MOST_LEVELS = 3;
/** Above this number of sources, titles name folders without a heading. */
const MANY_NAMES = 60;

/**
 * Folders whose sources are below one heading: those with several sources, but not the one that has all. A folder that
 * has only another one shares its heading.
 */
export class Folders {
  private readonly counts = new Map<string, number>();
  private readonly withProse = new Set<string>();
  private readonly bases = new Map<string, number>();
  /** The innermost folder that has all sources. */
  private readonly root: string;

  constructor(private readonly names: readonly string[]) {
    for (const name of names) {
      this.bases.set(baseName(name), (this.bases.get(baseName(name)) ?? 0) + 1);
      const isProse = ['markdown', 'text'].includes(sourceForm(name));
      for (const folder of foldersAbove(name)) {
        this.counts.set(folder, (this.counts.get(folder) ?? 0) + 1);
        if (isProse) this.withProse.add(folder);
      }
    }
    this.root =
      foldersAbove(names[0] ?? '').findLast((folder) => this.counts.get(folder) === names.length) ?? '';
  }

  /** Returns the folders above a source that have a heading, with "/" at their ends; the outermost one first. */
  groupsOf(name: string): string[] {
    const folders = foldersAbove(name).filter((folder, index, all) => {
      const count = this.counts.get(folder) ?? 0;
      return count > 1 && count < this.names.length && count !== this.counts.get(all[index + 1] ?? '');
    });
    return folders.length > MOST_LEVELS ? [...folders.slice(0, MOST_LEVELS - 1), folders.at(-1)!] : folders;
  }

  /**
   * Returns the headings of folders that precede a source, and its own place. README or overview of a folder begins
   * the chapter of the folder.
   *
   * @param before the source before it; undefined if it is the first
   */
  placeOf(name: string, before: string | undefined): { headings: string; place: Place } {
    const groups = this.groupsOf(name);
    const open = before === undefined ? [] : this.groupsOf(before);
    const differs = groups.findIndex((group, index) => group !== open[index]);
    const titles = groups.map((group, index) => this.titleOf(group, groups[index - 1] ?? this.root));
    const begins = differs >= 0 && isOverview(name) && groups.at(-1) === folderOf(name);
    const last = groups.length - Number(begins);
    const headings = titles
      .slice(0, last)
      .map((title, index) => `${chapterLine({ title, level: index + 1 })}\n\n`)
      .slice(differs < 0 ? last : differs)
      .join('');
    const rest = name.slice((groups.at(-1) ?? this.root).length);
    const isNamed = this.names.length <= MANY_NAMES && this.bases.get(baseName(name)) === 1;
    const shown = isNamed ? baseName(name) : rest;
    return { headings, place: { title: begins ? titles.at(-1)! : null, shown, level: last + 1 } };
  }

  private titleOf(folder: string, above: string): string {
    const name = folder.slice(above.length, -1);
    return this.withProse.has(folder) ? folderTitle(name) : asHeadingText(name);
  }
}
