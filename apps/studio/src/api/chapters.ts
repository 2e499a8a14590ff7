import { queryOptions } from '@tanstack/react-query';
import { apiQuery, call, type Schemas } from './api-query';
import { everyItem } from '#contracts/api/responses.js';
import { queryClient } from './query-client';

export type Chapter = Schemas['BookChapter'];
export type ChapterText = Schemas['BookChapterText'];
export type Version = Schemas['ChapterVersion'];

const CHAPTER = '/api/books/chapters/{chapter_id}';

/** Query for all chapters of a book, in order; a book has at most 500. */
export const chaptersOf = (projectId: string) =>
  queryOptions({
    queryKey: ['chapters', projectId],
    queryFn: () =>
      everyItem((page) =>
        call('GET /api/books/projects/{project_id}/chapters', { project_id: projectId, ...page }),
      ),
  });

export const chapterQuery = (id: string) => apiQuery(['chapter', id], CHAPTER, { chapter_id: id });

export const versionsOf = (id: string) =>
  apiQuery(['chapter', id, 'versions'], `${CHAPTER}/versions`, { chapter_id: id, limit: 100 });

export const changesBetween = (id: string, from: number, to: number) =>
  apiQuery(['chapter', id, 'changes', from, to], `${CHAPTER}/changes`, { chapter_id: id, from, to });

/** Query for the facts that a change affects, and the chapters that rely on them. */
export const impactOf = (id: string, from: number, to: number) =>
  apiQuery(['chapter', id, 'impact', from, to], `${CHAPTER}/impact`, { chapter_id: id, from, to });

/** Saves a text as a new version. @throws ApiProblem `changed_meanwhile` */
export const saveText = ({ id: chapter_id, etag }: ChapterText, content: string) =>
  changeChapter(call(`PATCH ${CHAPTER}`, { chapter_id, headers: { 'If-Match': etag }, body: { content } }));

/** Sets whether a chapter is accepted; runs do not rewrite accepted chapters. @throws ApiProblem */
export const setStatus = (id: string, status: 'written' | 'accepted') =>
  changeChapter(call(`PATCH ${CHAPTER}`, { chapter_id: id, body: { status } }));

/** Lets runs change all paragraphs again that a person wrote or accepted. @throws ApiProblem */
export const releaseParagraphs = ({ id, kept_paragraphs }: ChapterText) =>
  changeChapter(call(`PATCH ${CHAPTER}`, { chapter_id: id, body: { released_paragraphs: kept_paragraphs } }));

/** Says that a finding of the newest text is wrong or, with null, that it counts again. @throws ApiProblem */
export const changeFinding = (
  { id, etag }: ChapterText,
  finding_id: string,
  overruled: Schemas['FindingChanges']['overruled'],
) =>
  changeChapter(
    call(`PATCH ${CHAPTER}/findings/{finding_id}`, {
      ...{ chapter_id: id, finding_id },
      headers: { 'If-Match': etag },
      body: { overruled },
    }),
  );

/** Makes an older version the newest again. @throws ApiProblem */
export const restoreVersion = (id: string, version: number) =>
  changeChapter(call(`POST ${CHAPTER}/restore`, { chapter_id: id, body: { version } }));

/** Applies the accepted changes of a revision (X8). @throws ApiProblem */
export const decideParagraphs = (id: string, body: Schemas['ParagraphDecisions']) =>
  changeChapter(call(`POST ${CHAPTER}/decisions`, { chapter_id: id, body }));

/** Shows the text that a change of a chapter returns. @throws ApiProblem */
async function changeChapter(changing: Promise<ChapterText>): Promise<ChapterText> {
  const chapter = await changing;
  await queryClient.invalidateQueries({ queryKey: ['chapter', chapter.id] });
  queryClient.setQueryData(chapterQuery(chapter.id).queryKey, chapter);
  await queryClient.invalidateQueries({ queryKey: ['chapters', chapter.project_id] });
  return chapter;
}
