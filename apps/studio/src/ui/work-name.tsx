import { useTranslation } from '../i18n/i18n';
import type { Run } from '../api/runs';
import { RouteAnchor } from './route-links';
import { useRunWords } from './run-words';

/** Returns the name of a run for people, such as "Article: The tower". */
export function useRunName(): (run: Pick<Run, 'kind' | 'title'>) => string {
  const { t } = useTranslation();
  const words = useRunWords();
  return ({ kind, title }) =>
    title === null ? words.kind(kind) : t('run.titleOf', { kind: words.kind(kind), name: title });
}

interface WorkLinkProps {
  run: Pick<Run, 'id' | 'session_id' | 'kind'> & Partial<Pick<Run, 'progress'>>;
  text: string;
}

/** Returns the ID of the book that a run writes; undefined for other runs and for a run that has not begun. */
export const bookOf = ({ kind, progress }: WorkLinkProps['run']): string | undefined =>
  kind === 'book' ? (progress?.details as { project_id?: string } | undefined)?.project_id : undefined;

/** Links to the document, book, article or plan that a run makes, otherwise to the page of the run. */
export function WorkLink({ run, text }: WorkLinkProps) {
  if (run.kind === 'document')
    return (
      <RouteAnchor to="/documents/$sessionId" params={{ sessionId: run.session_id }}>
        {text}
      </RouteAnchor>
    );
  if (run.kind === 'article' || run.kind === 'plan')
    return (
      <RouteAnchor to={`/${run.kind}s/$runId`} params={{ runId: run.id }}>
        {text}
      </RouteAnchor>
    );
  const projectId = bookOf(run);
  if (projectId)
    return (
      <RouteAnchor to="/books/$projectId/$step" params={{ projectId, step: 'drafting' }}>
        {text}
      </RouteAnchor>
    );
  return (
    <RouteAnchor to="/runs/$runId" params={{ runId: run.id }}>
      {text}
    </RouteAnchor>
  );
}

/** Returns the label of a run's work: its kind and, for a book, the part, such as "Book · Chapter 3". */
export function useRunPart(): (run: Pick<Run, 'kind' | 'mode' | 'progress'>) => string {
  const { t } = useTranslation();
  const words = useRunWords();
  return ({ kind, mode, progress }) => {
    if (kind !== 'book' || mode === null) return words.kind(kind);
    const { chapter_number: chapter } = progress.details as { chapter_number?: number | null };
    const part = t(`bookMode.${mode}`, { defaultValue: mode });
    return `${words.kind(kind)} · ${part}${mode === 'chapter' && chapter ? ` ${chapter}` : ''}`;
  };
}
