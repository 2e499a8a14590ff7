import { wordsIn } from '#contracts/text.js';
import type { Reference } from '#contracts/bibliography.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import type { ReferenceEntry } from '#writing/bibliography/entry.js';
import { isCslStyle, readReferences } from '#writing/bibliography/read-references.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { importedReferencesSchema, referenceImportSchema } from '../contract/schemas.js';
import { referenceOf } from '../store/references.js';
import { SourceRepository, type KnowledgeSource } from '../store/sources.js';
import { CollectionRepository } from '../store/collections.js';

type Imported = z.infer<typeof importedReferencesSchema>;

/** Imports references of sources from bibliographies. */
@Injectable()
export class ReferencesService {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    private readonly collections: CollectionRepository,
    private readonly sources: SourceRepository,
  ) {}

  /**
   * Sets the references of the sources that the entries of a bibliography describe.
   *
   * @throws ProblemError `not_found`; `invalid_request` for a text that is no bibliography
   */
  async import(
    tenantId: string,
    collectionId: string,
    { text, source_id: sourceId }: z.infer<typeof referenceImportSchema>,
  ): Promise<Imported> {
    await this.collections.require(tenantId, collectionId);
    const entries = entriesOf(text);
    if (sourceId !== undefined && entries.length !== 1)
      throw new ProblemError('invalid_request', phrase('invalid_request.one_reference'));
    const rows =
      sourceId === undefined
        ? await this.db.knowledgeSource.findMany({ where: { tenantId, collectionId } })
        : [await this.sources.require(tenantId, collectionId, sourceId)];
    const find = sourceId === undefined ? sourceFinder(rows) : () => rows;
    const imported: Imported = { applied: [], unmatched: [] };
    for (const { key, reference } of entries) {
      const [source, ...others] = find({ key, reference });
      if (!source || others.length > 0) imported.unmatched.push({ key, title: reference.title ?? null });
      else {
        await this.sources.change(tenantId, collectionId, source.id, {}, reference);
        imported.applied.push({ key, source_id: source.id, source_name: source.name });
      }
    }
    return imported;
  }
}

/** @throws ProblemError `invalid_request` */
function entriesOf(text: string): ReferenceEntry[] {
  if (isCslStyle(text)) throw new ProblemError('invalid_request', phrase('invalid_request.csl_style'));
  const entries = readReferences(text);
  if (!entries) throw new ProblemError('invalid_request', phrase('invalid_request.bibliography'));
  return entries;
}

/** Returns a function that finds the sources of an entry: by DOI, else by its file or title. */
function sourceFinder(sources: KnowledgeSource[]): (entry: ReferenceEntry) => KnowledgeSource[] {
  const byDoi = new Map<string, KnowledgeSource[]>();
  const byName = new Map<string, KnowledgeSource[]>();
  const add = (to: Map<string, KnowledgeSource[]>, key: string | undefined, source: KnowledgeSource) => {
    if (key) to.set(key, [...new Set([...(to.get(key) ?? []), source])]);
  };
  for (const source of sources) {
    const { doi, title } = referenceOf(source);
    add(byDoi, doi?.toLowerCase(), source);
    for (const name of [title, source.title, stem(source.name)]) add(byName, lettersOf(name), source);
  }
  return ({ key, reference }) => {
    const found = byDoi.get(reference.doi?.toLowerCase() ?? '');
    if (found) return found;
    const names = [...filesOf(reference), reference.title, key];
    return names.map((name) => byName.get(lettersOf(name) ?? '')).find((some) => some !== undefined) ?? [];
  };
}

/** Returns the names of an entry's files, which reference managers write as `name:path:type` or as a path. */
function filesOf({ other }: Reference): string[] {
  const file = other?.['file'];
  return typeof file === 'string' ? file.split(/[;:/\\]/).map(stem) : [];
}

const stem = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,8}$/, '');

/** Returns the letters and digits of a text, in lower case. */
const lettersOf = (text: string | null | undefined): string | undefined =>
  wordsIn(text?.toLowerCase() ?? '').join('') || undefined;
