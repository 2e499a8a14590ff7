import { type Run, isOver } from '../api/runs';
import { RouteAnchor } from './route-links';
import { useRunWords, usePhrases } from './run-words';
import type { Decision } from '../api/decisions';
import { type AnchorProps, Badge, Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Work } from '../api/work';
import { ProblemCode, StateBadge } from './frames';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/api-query';

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

/** Stages of a book whose text is complete; a failure of its last run is history. */
const COMPLETE = new Set<string | null>(['written', 'exported']);

/**
 * Shows the newest state of a work. Between its runs, a book has the stage that its author reached: a run writes only a
 * part of it.
 */
export function WorkState({ work: { latest_run: run, project_status: stage } }: { work: Work }) {
  const { t } = useTranslation();
  const hasFailed = run?.error && isFailure(run.error) && !COMPLETE.has(stage);
  if (stage !== null && (run === null || isOver(run)) && !hasFailed)
    return <Badge variant="default">{t(`bookStatus.${stage}`, { defaultValue: stage })}</Badge>;
  return run && <RunStatusBadge status={run.status} />;
}

/** Says in a list why a run failed; nothing otherwise. */
export function RunFailure({ run: { error } }: { run: Pick<Run, 'error'> }) {
  const render = usePhrases();
  if (!error || !isFailure(error)) return null;
  return <div className="problem-text list-error">{render(error.phrase, error.message)}</div>;
}

/** What a person should know of a plan although it went on or succeeded. */
type Warning = { message: string; phrase?: Parameters<ReturnType<typeof usePhrases>>[0] };

/** Says why the newest run of a work failed, and what its plan warns of; nothing otherwise. */
export function WorkFailure({ work: { latest_run: run, project_status: stage } }: { work: Work }) {
  const render = usePhrases();
  if (!run || COMPLETE.has(stage)) return null;
  const { warnings = [] } = run.progress.details as { warnings?: Warning[] };
  return (
    <>
      <RunFailure run={run} />
      {warnings.map(({ phrase, message }) => (
        <div key={message} className="list-error" children={render(phrase, message)} />
      ))}
    </>
  );
}

/** Codes of runs that a person ended; the run did not fail. */
const ENDED_BY_PERSON = new Set(['cancelled', 'rolled_back', 'plan_rejected', 'plan_aborted']);

/** Returns whether an error says that something went wrong. */
export const isFailure = ({ code }: NonNullable<Run['error']>): boolean => !ENDED_BY_PERSON.has(code);

/**
 * Shows why a run ended without a result, with the code of an error. Shows nothing if there is no error.
 */
export function RunError({ error }: { error: Run['error'] }) {
  const { t } = useTranslation();
  const render = usePhrases();
  if (error === null) return null;
  const text = render(error.phrase, error.message);
  if (!isFailure(error)) return <Text c="dimmed">{text}</Text>;
  return (
    <Alert color="red" title={t('run.failed')}>
      <Text size="sm" mb="xs">
        {text}
      </Text>
      <ProblemCode code={error.code} />
    </Alert>
  );
}

/** Shows the status of a run. Only a run that needs an answer stands out by a filled badge. */
export function RunStatusBadge({ status }: { status: Schemas['Run']['status'] }) {
  const { t } = useTranslation();
  const variant = status === 'needs_answer' ? 'filled' : 'dot';
  return <StateBadge state={status} variant={variant} text={t(`runStatus.${status}`)} />;
}
