import * as books from './schemas.js';
import { findingChangesSchema } from '#contracts/findings.js';
import { profileReplySchema } from './conversation.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

const PROJECT = '/api/books/projects/:project_id';
const CHAPTER = '/api/books/chapters/:chapter_id';

/** Operations with the tag `books` (B21). */
export const booksEndpoints = defineEndpoints('books', {
  createBookProject: {
    method: 'POST',
    path: '/api/books/projects',
    summary: 'Create a book project, with a session for its runs',
    body: books.newBookProjectSchema,
    status: 201,
    response: books.bookProjectSchema,
  },
  listBookProjects: {
    method: 'GET',
    path: '/api/books/projects',
    summary: 'List book projects, newest first',
    query: books.bookProjectsQuery,
    response: pageOf(books.listedBookProjectSchema),
  },
  getBookProject: {
    method: 'GET',
    path: PROJECT,
    summary: 'Read a book project with its outline',
    response: books.bookProjectSchema,
  },
  changeBookProject: {
    method: 'PATCH',
    path: PROJECT,
    summary: "Change a book's concept or outline; with If-Match, only if it has not changed since",
    body: books.bookProjectChangesSchema,
    response: books.bookProjectSchema,
    errors: ['changed_meanwhile'],
  },
  deleteBookProject: {
    method: 'DELETE',
    path: PROJECT,
    summary: 'Delete a book project with its chapters, sources, runs and results',
    errors: ['run_active'],
  },
  stopBook: {
    method: 'POST',
    path: `${PROJECT}/stop`,
    summary: 'Stop the run of mode book after the current chapter',
    response: books.bookProjectSchema,
    errors: ['run_finished'],
  },
  assistProfile: {
    method: 'POST',
    path: `${PROJECT}/profile-assistant`,
    summary: 'Take the next step of the conversation that fills in the profile; applied when it is finalised',
    body: books.profileMessageSchema,
    response: profileReplySchema,
    errors: ['needs_model', 'model_failed', 'run_active', ...budgetProblems],
  },
  listChaptersOfProject: {
    method: 'GET',
    path: `${PROJECT}/chapters`,
    summary: "List a book's chapters in their order, without their texts",
    query: pageQuery,
    response: pageOf(books.bookChapterSchema),
  },
  createChapterOfProject: {
    method: 'POST',
    path: `${PROJECT}/chapters`,
    summary: 'Add a chapter, at the given number or at the end',
    body: books.newBookChapterSchema,
    status: 201,
    response: books.bookChapterTextSchema,
    errors: ['too_many_chapters'],
  },
  listChapters: {
    method: 'GET',
    path: '/api/books/chapters',
    summary: 'List the chapters of a project in their order',
    query: books.chaptersQuery,
    response: pageOf(books.bookChapterSchema),
    errors: ['not_found'],
  },
  createChapter: {
    method: 'POST',
    path: '/api/books/chapters',
    summary: 'Add a chapter to a project',
    body: books.newChapterOfProjectSchema,
    status: 201,
    response: books.bookChapterTextSchema,
    errors: ['not_found', 'too_many_chapters'],
  },
  getChapter: {
    method: 'GET',
    path: CHAPTER,
    summary: 'Read a chapter with its text, review, citations and facts',
    response: books.bookChapterTextSchema,
  },
  changeChapter: {
    method: 'PATCH',
    path: CHAPTER,
    summary: 'Change a chapter; changes of its text require If-Match, to prevent lost updates',
    body: books.bookChapterChangesSchema,
    response: books.bookChapterTextSchema,
    errors: ['precondition_required', 'changed_meanwhile', 'chapter_empty'],
  },
  deleteChapter: {
    method: 'DELETE',
    path: CHAPTER,
    summary: 'Delete a chapter with all versions of its text; later chapters move up',
  },
  listChapterVersions: {
    method: 'GET',
    path: `${CHAPTER}/versions`,
    summary: "List the versions of a chapter's text, newest first",
    query: pageQuery,
    response: pageOf(books.chapterVersionSchema),
  },
  getChapterVersion: {
    method: 'GET',
    path: `${CHAPTER}/versions/:version`,
    summary: "Read a version of a chapter's text",
    response: books.chapterVersionTextSchema,
  },
  restoreChapterVersion: {
    method: 'POST',
    path: `${CHAPTER}/restore`,
    summary: 'Restore an older version, as a new version',
    body: books.restoreVersionSchema,
    status: 201,
    response: books.bookChapterTextSchema,
  },
  listRevisionChanges: {
    method: 'GET',
    path: `${CHAPTER}/changes`,
    summary: 'Compare two versions paragraph by paragraph',
    query: books.versionRangeQuery,
    response: books.revisionChangesSchema,
    errors: ['diff_too_large'],
  },
  decideParagraphs: {
    method: 'POST',
    path: `${CHAPTER}/decisions`,
    summary: 'Accept or reject individual paragraphs of a revision; the next revision considers the reasons',
    body: books.paragraphDecisionsSchema,
    status: 201,
    response: books.bookChapterTextSchema,
    errors: ['changed_meanwhile', 'diff_too_large'],
  },
  changeChapterFinding: {
    method: 'PATCH',
    path: `${CHAPTER}/findings/:finding_id`,
    summary:
      'Say that a finding of the newest text is wrong, or take that back; an overruled finding does not count and stays overruled until its sentence changes',
    body: findingChangesSchema,
    response: books.bookChapterTextSchema,
    errors: ['changed_meanwhile'],
  },
  chapterImpact: {
    method: 'GET',
    path: `${CHAPTER}/impact`,
    summary: 'List the facts that changed between two versions of a chapter and that later chapters rely on',
    query: books.versionRangeQuery,
    response: books.chapterImpactSchema,
  },
});
