import type { chapterImpactSchema } from '../contract/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { factSchema, type Fact } from '#contracts/facts.js';
import type { BookChapterVersion } from '../store/chapters.js';
import { changedFacts, relyingOn } from '#writing/facts/facts.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { BookAccess } from './book-access.js';

/** Finds later chapters that rely on facts changed by a rewritten chapter (B16). Read-only. */
@Injectable()
export class ChapterImpactService {
  constructor(private readonly access: BookAccess) {}

  async between(
    tenantId: string,
    id: string,
    { from, to }: { from?: number; to?: number },
  ): Promise<z.infer<typeof chapterImpactSchema>> {
    const chapter = await this.access.chapter(tenantId, id);
    const until = to ?? chapter.version;
    const since = from ?? until - 1;
    const versions = await Promise.all(
      [since, until].map((number) => this.access.chapters.version(tenantId, id, number)),
    );
    const [before, after] = versions.map((version) => version ?? noVersion()) as [
      BookChapterVersion,
      BookChapterVersion,
    ];
    const changed = changedFacts(factsOf(before), factsOf(after));
    const current = await this.access.chapters.currentVersions(tenantId, chapter.projectId);
    const texts = new Map(current.map((version) => [version.chapterId, version]));
    const later = (await this.access.chapters.list(tenantId, chapter.projectId)).filter(
      ({ number }) => number > chapter.number,
    );
    const affected = later.flatMap(({ id: chapter_id, number, title }) => {
      const version = texts.get(chapter_id);
      const relies_on = version ? relyingOn(changed, factsOf(version)) : [];
      return relies_on.length > 0 ? [{ chapter_id, number, title, relies_on }] : [];
    });
    return {
      from: since,
      to: until,
      changed: changed.map(({ fact, change }) => ({ kind: fact.kind, text: fact.text, change })),
      affected,
    };
  }
}

const factsOf = ({ facts }: BookChapterVersion): Fact[] => z.array(factSchema).parse(facts);

function noVersion(): never {
  throw new ProblemError('not_found', phrase('not_found.version'));
}
