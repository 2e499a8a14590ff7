import { queryOptions } from '@tanstack/react-query';
import { apiQuery, type Call } from './api-query';
import { api, type Schemas, unwrap } from './client';
import { everyItem } from '#contracts/api/responses.js';
import { queryClient } from './query-client';

export type Chapter = Schemas['BookChapter'];
export type ChapterText = Schemas['BookChapterText'];
export type Version = Schemas['ChapterVersion'];

const at = (id: string) => ({ path: { chapter_id: id } });

/** Query for all chapters of a book, in order; a book has at most 500. */
export const chaptersOf = (projectId: string) =>
  queryOptions({
    queryKey: ['chapters', projectId],
    queryFn: () =>
      everyItem((query) => {
        const params = { path: { project_id: projectId }, query };
        return unwrap(api.GET('/api/books/projects/{project_id}/chapters', { params }));
      }),
  });

export const chapterQuery = (id: string) =>
  apiQuery(['chapter', id], '/api/books/chapters/{chapter_id}', at(id));

export const versionsOf = (id: string) =>
  apiQuery(['chapter', id, 'versions'], '/api/books/chapters/{chapter_id}/versions', {
    ...at(id),
    query: { limit: 100 },
  });

export const changesBetween = (id: string, from: number, to: number) =>
  apiQuery(['chapter', id, 'changes', from, to], '/api/books/chapters/{chapter_id}/changes', {
    ...at(id),
    query: { from, to },
  });

/** Query for the facts that a change affects, and the chapters that rely on them. */
export const impactOf = (id: string, from: number, to: number) =>
  apiQuery(['chapter', id, 'impact', from, to], '/api/books/chapters/{chapter_id}/impact', {
    ...at(id),
    query: { from, to },
  });

/** Saves a text as a new version. @throws ApiProblem `changed_meanwhile` */
export const saveText = (chapter: ChapterText, content: string) =>
  changeChapter(
    api.PATCH('/api/books/chapters/{chapter_id}', {
      params: at(chapter.id),
      headers: { 'If-Match': chapter.etag },
      body: { content },
    }),
  );

/** Sets whether a chapter is accepted; runs do not rewrite accepted chapters. @throws ApiProblem */
export const setStatus = (id: string, status: 'written' | 'accepted') =>
  changeChapter(api.PATCH('/api/books/chapters/{chapter_id}', { params: at(id), body: { status } }));

/** Lets runs change all paragraphs again that a person wrote or accepted. @throws ApiProblem */
export const releaseParagraphs = ({ id, kept_paragraphs }: ChapterText) =>
  changeChapter(
    api.PATCH('/api/books/chapters/{chapter_id}', {
      params: at(id),
      body: { released_paragraphs: kept_paragraphs },
    }),
  );

/** Says that a finding of the newest text is wrong or, with null, that it counts again. @throws ApiProblem */
export const changeFinding = (
  { id, etag }: ChapterText,
  finding_id: string,
  overruled: Schemas['FindingChanges']['overruled'],
) =>
  changeChapter(
    api.PATCH('/api/books/chapters/{chapter_id}/findings/{finding_id}', {
      params: { path: { chapter_id: id, finding_id } },
      headers: { 'If-Match': etag },
      body: { overruled },
    }),
  );

/** Makes an older version the newest again. @throws ApiProblem */
export const restoreVersion = (id: string, version: number) =>
  changeChapter(api.POST('/api/books/chapters/{chapter_id}/restore', { params: at(id), body: { version } }));

/** Applies the accepted changes of a revision (X8). @throws ApiProblem */
export const decideParagraphs = (id: string, body: Schemas['ParagraphDecisions']) =>
  changeChapter(api.POST('/api/books/chapters/{chapter_id}/decisions', { params: at(id), body }));

/** Sends a request that changes a chapter, and shows the text that it returns. @throws ApiProblem */
async function changeChapter(call: Call<ChapterText>): Promise<ChapterText> {
  const chapter = await unwrap(call);
  await queryClient.invalidateQueries({ queryKey: ['chapter', chapter.id] });
  queryClient.setQueryData(chapterQuery(chapter.id).queryKey, chapter);
  await queryClient.invalidateQueries({ queryKey: ['chapters', chapter.project_id] });
  return chapter;
}
