import { JsonInput, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { giveAnswer, noteAnswerHere, type Decision } from '../../api/decisions';
import { planQuery, sendCommand, type Approval } from '../../api/plans';
import { isBlockingError, queryClient } from '../../api/query-client';
import { retryingImport } from '../../api/retrying-import';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { AnswerBar } from '../../ui/answer-bar';
import { Moment } from '../../ui/moment';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { useRunWords } from '../../ui/run-words';
import { usePhrases } from '../../ui/use-phrases';

interface ApprovalCardProps {
  runId: string;
  approval: Approval;
}

const RenderedText = lazy(retryingImport(() => import('../../ui/reading/rendered-text')));

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

/** Fetches and shows the open approval of a plan. */
export function PlanApproval({ decision }: { decision: Decision }) {
  const { data, error, refetch } = useQuery(planQuery(decision.run_id));
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  const approval = data?.approval_required;
  if (!approval || approval.decision_id !== decision.id) return <PageLoader />;
  return <ApprovalCard key={approval.checkpoint_id} runId={decision.run_id} approval={approval} />;
}

/** Shows the next plan steps, whose arguments can be edited before approval (P2, P5). */
export function ApprovalCard({ runId, approval }: ApprovalCardProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [edited, setEdited] = useState<Record<string, string>>({});
  // The rest explains to programs how to answer.
  const english = approval.description.split('\n## What your answer does')[0]!;
  const summary = usePhrases()(approval.phrase, english);
  const changed = Object.fromEntries(Object.entries(edited).map(([id, text]) => [id, parsed(text)]));
  return (
    <Paper withBorder p="md" component="section" aria-label={t('approvalCard.title')}>
      <Stack gap="sm">
        <Title order={2} size="h4" children={t('approvalCard.title')} />
        <div className="approval-text">
          <Suspense fallback={<PageLoader />}>
            <RenderedText
              label={t('approvalCard.summary')}
              markdown={summary}
              fallback={<div className="pre-wrap">{summary}</div>}
            />
          </Suspense>
        </div>
        <Deadline at={approval.deadline} />
        <NextTasks
          tasks={approval.context.next_layer}
          edited={edited}
          changed={changed}
          onChange={mayWrite && approval.decision_type !== 'outcome' ? setEdited : undefined}
        />
        <ApprovalAnswers runId={runId} approval={approval} changed={changed} />
      </Stack>
    </Paper>
  );
}

interface NextTasksProps {
  tasks: NextTaskProps['task'][];
  /** Edited arguments as JSON, by task. */
  edited: Record<string, string>;
  changed: ApprovalAnswersProps['changed'];
  /** Undefined if the user may only read. */
  onChange: ((edited: Record<string, string>) => void) | undefined;
}

/** Shows the arguments of the next plan steps as JSON; on demand, because the summary names them, unless some are missing. */
function NextTasks({ tasks, edited, changed, onChange }: NextTasksProps) {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <details open={tasks.some(({ missing }) => missing.length > 0)}>
      <summary>{t(onChange ? 'approvalCard.change' : 'approvalCard.arguments')}</summary>
      <Stack gap="sm" mt="sm">
        {tasks.map((task) => (
          <NextTask
            key={task.task_id}
            task={task}
            text={edited[task.task_id]}
            isWrong={changed[task.task_id] === null}
            onChange={onChange && ((text) => onChange({ ...edited, [task.task_id]: text }))}
          />
        ))}
      </Stack>
    </details>
  );
}

interface ApprovalAnswersProps extends ApprovalCardProps {
  /** Arguments that were edited, by task; null for a text that is not a JSON object. */
  changed: Record<string, Record<string, unknown> | null>;
}

function ApprovalAnswers({ runId, approval, changed }: ApprovalAnswersProps) {
  const { t } = useTranslation();
  const words = useRunWords();
  if (approval.decision_type === 'outcome')
    return (
      <AnswerBar
        give={async (action: string) => {
          await giveAnswer(approval.decision_id, { action });
          await queryClient.invalidateQueries({ queryKey: ['plans', runId] });
        }}
        choices={() => approval.options.map((action) => ({ label: words.choice(action), answer: action }))}
      />
    );
  const respond = (approved: boolean, feedback: string): Schemas['PlanCommand'] => ({
    type: 'approval_response',
    checkpoint_id: approval.checkpoint_id,
    approved,
    ...(feedback === '' ? {} : { feedback }),
    ...(approved && Object.keys(changed).length > 0
      ? { arguments: changed as Record<string, Record<string, unknown>> }
      : {}),
  });
  const isWrong = Object.values(changed).includes(null);
  return (
    <AnswerBar
      key="approval"
      give={async (command: Schemas['PlanCommand']) => {
        await sendCommand(runId, command);
        noteAnswerHere(approval.decision_id);
        await queryClient.invalidateQueries({ queryKey: ['decisions'] });
      }}
      reasonLabel={t('approvalCard.feedback')}
      choices={(feedback) => [
        { label: t('approvalCard.reject'), answer: respond(false, feedback) },
        {
          label: t('approvalCard.approve'),
          answer: respond(true, feedback),
          isMain: true,
          isDisabled: isWrong,
        },
      ]}
    />
  );
}

interface NextTaskProps {
  task: Approval['context']['next_layer'][number];
  /** Edited arguments; undefined if unchanged. */
  text: string | undefined;
  isWrong: boolean;
  /** Undefined if the user may only read. */
  onChange: ((text: string) => void) | undefined;
}

function NextTask({ task, text, isWrong, onChange }: NextTaskProps) {
  const { t } = useTranslation();
  return (
    <JsonInput
      label={`${task.task_id} · ${task.tool}`}
      description={[
        task.side_effects ? t('approvalCard.sideEffects') : '',
        task.missing.length > 0 ? t('approvalCard.missing', { names: task.missing.join(', ') }) : '',
      ]
        .filter(Boolean)
        .join(' ')}
      autosize
      minRows={2}
      readOnly={!onChange}
      value={text ?? JSON.stringify(task.arguments, null, 2)}
      error={isWrong && t('plans.notJson')}
      onChange={onChange}
    />
  );
}

function Deadline({ at }: { at: string | null }) {
  const { t } = useTranslation();
  if (at === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('approvalCard.deadline')} <Moment at={at} />
    </Text>
  );
}
