import { useTranslation } from '../i18n/i18n';
import type { Run } from '../api/runs';
import type { Work } from '../api/work';
import { RouteAnchor } from './route-links';
import { useRunWords } from './run-words';
import type { Decision } from '../api/decisions';
import type { AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Returns the name of a run for people: its title, otherwise its kind. */
export function useRunName(): (run: Pick<Run, 'kind' | 'title'>) => string {
  const words = useRunWords();
  return ({ kind, title }) => title ?? words.kind(kind);
}

interface WorkLinkProps {
  run: Pick<Run, 'id' | 'session_id' | 'kind'> & Partial<Pick<Run, 'progress'>>;
  text: string;
}

/** Returns the ID of the book that a run writes; undefined for other runs and for a run that has not begun. */
export const bookOf = ({ kind, progress }: WorkLinkProps['run']): string | undefined =>
  kind === 'book' ? (progress?.details as { project_id?: string } | undefined)?.project_id : undefined;

/** Returns the address of the document, book, article or plan that a run makes, otherwise of the run. */
export function addressOfRun(run: WorkLinkProps['run']): string {
  if (run.kind === 'document' || run.kind === 'review') return `/documents/${run.session_id}`;
  if (run.kind === 'article' || run.kind === 'plan') return `/${run.kind}s/${run.id}`;
  const projectId = bookOf(run);
  return projectId ? `/books/${projectId}/drafting` : `/runs/${run.id}`;
}

/** Links to the document, book, article or plan that a run makes, otherwise to the page of the run. */
export const WorkLink = ({ run, text }: WorkLinkProps) => (
  <RouteAnchor to={addressOfRun(run)}>{text}</RouteAnchor>
);

/** Links to the page of a run. */
export const RunLink = ({
  id,
  ...look
}: { id: string; title?: string; children: ReactNode } & AnchorProps) => (
  <RouteAnchor to="/runs/$runId" params={{ runId: id }} size="sm" {...look} />
);

/** Links to the work that asks a question. */
export function DecisionLink({ decision }: { decision: Decision }) {
  const { run_id: id, session_id, run_kind: kind, run_title: title } = decision;
  return <WorkLink run={{ id, session_id, kind }} text={useRunName()({ kind, title })} />;
}

/** Returns the title of a work, with words for one that has none yet. */
export function useWorkTitle(): (work: Pick<Work, 'title'>) => string {
  const { t } = useTranslation();
  return ({ title }) => title ?? t('list.untitled');
}

/** Screen on which work on a book continues, by its status. */
const STEP_OF: Readonly<Record<string, string>> = {
  draft: 'concept',
  outlined: 'outline',
  exported: 'export',
};

/** Returns the address of a work. */
export function addressOf({
  id,
  project_id: project,
  project_status: status,
  latest_run: run,
}: Work): string {
  if (project !== null) return `/books/${project}/${STEP_OF[status ?? ''] ?? 'drafting'}`;
  return run ? addressOfRun(run) : `/documents/${id}`;
}

/** Links to a work. */
export function WorkAnchor({ work }: { work: Work }) {
  return <RouteAnchor to={addressOf(work)}>{useWorkTitle()(work)}</RouteAnchor>;
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
