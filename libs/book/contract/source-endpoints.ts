import * as books from './schemas.js';
import { uploadQuery } from '#knowledge/contract/schemas.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { uploadOf } from '#contracts/api/schemas.js';
import { defineEndpoints, textUploadProblems } from '#contracts/api/endpoints/endpoint.js';

const PROJECT = '/api/books/projects/:project_id';
const SOURCE = '/api/books/sources/:book_source_id';

/** Operations on the sources of books (B14, B21), with the tag `books`. */
export const bookSourcesEndpoints = defineEndpoints('books', {
  listBookSources: {
    method: 'GET',
    path: `${PROJECT}/sources`,
    summary: "List a book's sources, newest first",
    query: pageQuery,
    response: pageOf(books.bookSourceSchema),
  },
  addBookSource: {
    method: 'POST',
    path: `${PROJECT}/sources`,
    summary: 'Add a note as a source; a note with an existing title replaces that note',
    body: books.newBookSourceSchema,
    status: 201,
    response: books.bookSourceSchema,
    errors: ['storage_quota_exceeded', 'too_many_collections'],
  },
  uploadBookSources: {
    method: 'POST',
    path: `${PROJECT}/knowledge-upload`,
    summary:
      'Add files as sources: text, markdown, PDF, Word, web pages, notebooks, tables; a worker indexes them',
    query: uploadQuery,
    multipart: 'only',
    status: 201,
    response: uploadOf(books.bookSourceSchema),
    errors: [...textUploadProblems, 'too_many_collections'],
  },
  listSourcesOfBooks: {
    method: 'GET',
    path: '/api/books/sources',
    summary: 'List the sources of a project, newest first',
    query: books.bookSourcesQuery,
    response: pageOf(books.bookSourceSchema),
    errors: ['not_found'],
  },
  createBookSource: {
    method: 'POST',
    path: '/api/books/sources',
    summary: 'Add a note as a source of a project',
    body: books.newSourceOfProjectSchema,
    status: 201,
    response: books.bookSourceSchema,
    errors: ['not_found', 'storage_quota_exceeded', 'too_many_collections'],
  },
  getBookSource: {
    method: 'GET',
    path: SOURCE,
    summary: 'Read the metadata of a source and its indexing progress',
    response: books.bookSourceSchema,
  },
  changeBookSource: {
    method: 'PATCH',
    path: SOURCE,
    summary:
      'Change title, author, reference, priority or text of a source; only changed passages are reindexed',
    body: books.bookSourceChangesSchema,
    response: books.bookSourceSchema,
    errors: ['storage_quota_exceeded'],
  },
  deleteBookSource: {
    method: 'DELETE',
    path: SOURCE,
    summary: 'Delete a source with its text and passages',
  },
});
