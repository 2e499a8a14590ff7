import { z } from 'zod';
import { searchRequestSchema, searchResultSchema } from '../contract.js';
import * as knowledge from './schemas.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { uploadOf } from '#contracts/api/schemas.js';
import { defineEndpoints, textUploadProblems } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `knowledge`. */
export const knowledgeEndpoints = defineEndpoints('knowledge', {
  createCollection: {
    method: 'POST',
    path: '/api/knowledge/collections',
    summary: 'Create a collection of sources that are searched together',
    body: knowledge.newCollectionSchema,
    status: 201,
    response: knowledge.collectionSchema,
    errors: ['too_many_collections'],
  },
  listCollections: {
    method: 'GET',
    path: '/api/knowledge/collections',
    summary: 'List collections, newest first',
    query: knowledge.collectionsQuery,
    response: pageOf(knowledge.collectionSchema),
  },
  getCollection: {
    method: 'GET',
    path: '/api/knowledge/collections/:collection_id',
    summary: 'Read a collection with the number of its sources by state',
    response: knowledge.collectionSchema,
  },
  changeCollection: {
    method: 'PATCH',
    path: '/api/knowledge/collections/:collection_id',
    summary: 'Rename or describe a collection',
    body: knowledge.collectionChangeSchema,
    response: knowledge.collectionSchema,
  },
  deleteCollection: {
    method: 'DELETE',
    path: '/api/knowledge/collections/:collection_id',
    summary: 'Delete a collection with all its sources, passages and vectors',
  },
  addSources: {
    method: 'POST',
    path: '/api/knowledge/collections/:collection_id/sources',
    summary: 'Add a note (JSON) or files (multipart); a worker indexes them',
    query: knowledge.uploadQuery,
    body: knowledge.newNoteSchema,
    multipart: 'also',
    status: 202,
    response: uploadOf(knowledge.addedSourceSchema),
    errors: [...textUploadProblems],
  },
  addTranscript: {
    method: 'POST',
    path: '/api/knowledge/collections/:collection_id/transcripts',
    summary:
      'Add the captions of a video as a source with timestamps as headings; disabled unless the operator allows it',
    body: knowledge.newTranscriptSchema,
    status: 202,
    response: knowledge.addedSourceSchema,
    errors: ['transcripts_off', 'transcript_unavailable', 'storage_quota_exceeded'],
  },
  listSources: {
    method: 'GET',
    path: '/api/knowledge/collections/:collection_id/sources',
    summary: 'List the sources of a collection, newest first',
    query: knowledge.sourcesQuery,
    response: pageOf(knowledge.sourceSchema),
  },
  followSources: {
    method: 'GET',
    path: '/api/knowledge/collections/:collection_id/events',
    summary:
      'Follow the sources of a collection by server-sent events: `source` with the current state of a source, `source_removed` with its ID; Last-Event-ID resumes an interrupted stream',
    query: knowledge.sourceEventsQuery,
    media: 'text/event-stream',
    untagged: true,
  },
  getSource: {
    method: 'GET',
    path: '/api/knowledge/collections/:collection_id/sources/:source_id',
    summary: 'Read a source with its state and progress',
    response: knowledge.sourceSchema,
  },
  getSourceText: {
    method: 'GET',
    path: '/api/knowledge/collections/:collection_id/sources/:source_id/text',
    summary: 'Read the text that the spans of search hits refer to (404 until it is indexed)',
    media: 'text/plain; charset=utf-8',
    untagged: true,
  },
  listSourceChunks: {
    method: 'GET',
    path: '/api/knowledge/collections/:collection_id/sources/:source_id/chunks',
    summary: 'List the passages of a source in the order of its text',
    query: pageQuery,
    response: pageOf(knowledge.chunkSchema),
  },
  changeSource: {
    method: 'PATCH',
    path: '/api/knowledge/collections/:collection_id/sources/:source_id',
    summary: 'Change title, author, reference, priority or language of a source',
    body: knowledge.sourceChangeSchema,
    response: knowledge.sourceSchema,
  },
  importReferences: {
    method: 'POST',
    path: '/api/knowledge/collections/:collection_id/references',
    summary: 'Import the references of sources from a bibliography',
    body: knowledge.referenceImportSchema,
    response: knowledge.importedReferencesSchema,
  },
  deleteSource: {
    method: 'DELETE',
    path: '/api/knowledge/collections/:collection_id/sources/:source_id',
    summary: 'Delete a source with its text, passages, vectors and bytes',
  },
  searchKnowledge: {
    method: 'POST',
    path: '/api/knowledge/search',
    summary:
      'Search for passages that answer a query, each with its position and the reason why it was found',
    scope: 'read',
    body: searchRequestSchema,
    response: searchResultSchema,
    errors: ['not_found', 'no_embeddings'],
  },
  reindexKnowledge: {
    method: 'POST',
    path: '/api/knowledge/reindex',
    summary:
      'Reindex sources, for example after a change of the embedding model; the old index stays in use until the new one is ready',
    scope: 'admin',
    body: knowledge.reindexSchema,
    status: 202,
    response: knowledge.reindexedSchema,
    errors: ['not_found'],
  },
});

export type UploadQuery = z.infer<typeof knowledge.uploadQuery>;
