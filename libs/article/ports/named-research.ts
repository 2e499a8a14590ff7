import type { FoundPassage, ResearchPort } from '../graph/ports.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import type { CopiedPassages } from './copied-passages.js';

/**
 * Research in the pages and files that the author names, and then with another provider (A6). Passages of the named
 * sources come first and leave half of the limit to the provider.
 */
export class NamedResearch implements ResearchPort {
  private sources: Promise<KnowledgeSource[]> | null = null;

  /** @param other null if the named sources are the only ones */
  constructor(
    private readonly passages: CopiedPassages,
    private readonly open: () => Promise<KnowledgeSource[]>,
    private readonly other: ResearchPort | null,
  ) {}

  async find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]> {
    const room = this.other ? Math.ceil(limit / 2) : limit;
    const found = await this.passages.find(await this.named(), query, room);
    const others = await this.other?.find(query, limit - found.length, effectKey);
    return [...found, ...(others ?? [])];
  }

  /** Returns the first passage of each named source that no search found: its author wants it to be read. */
  async unfound(found: ReadonlySet<string>): Promise<FoundPassage[]> {
    const sources = await this.named();
    return this.passages.first(sources.filter(({ id }) => !found.has(id)));
  }

  private named(): Promise<KnowledgeSource[]> {
    this.sources ??= this.open();
    return this.sources;
  }
}
