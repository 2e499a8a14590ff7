import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { BookChapterRepository, type BookChapter } from '../store/chapters.js';
import { BookRepository, type BookProject } from '../store/projects.js';
import type { ProjectSessions } from '#gateway/runs/feature-ports.js';
import { Injectable } from '@nestjs/common';

/** Finds a tenant's books and chapters. Other tenants' books and chapters count as missing (B19). */
@Injectable()
export class BookAccess implements ProjectSessions {
  constructor(
    readonly books: BookRepository,
    readonly chapters: BookChapterRepository,
  ) {}

  /** @throws ProblemError `not_found` */
  async project(tenantId: string, id: string): Promise<BookProject> {
    return (await this.books.find(tenantId, id)) ?? noProject();
  }

  async sessionOf(tenantId: string, projectId: string): Promise<string> {
    return (await this.project(tenantId, projectId)).sessionId;
  }

  /** @throws ProblemError `not_found` */
  async chapter(tenantId: string, id: string): Promise<BookChapter> {
    return (await this.chapters.find(tenantId, id)) ?? noChapter();
  }
}

export function noProject(): never {
  throw new ProblemError('not_found', phrase('not_found.book'));
}

export function noChapter(): never {
  throw new ProblemError('not_found', phrase('not_found.chapter'));
}

/**
 * Checks that `If-Match` names the current state; accepts any state without the header.
 *
 * @throws ProblemError `changed_meanwhile`
 */
export function requireMatch(header: string | undefined, tag: string): void {
  if (header === undefined) return;
  const named = header.split(',').map((item) => item.trim());
  if (named.includes('*') || named.includes(tag)) return;
  throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.merge'));
}
