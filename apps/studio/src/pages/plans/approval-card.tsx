import { Button, Group, JsonInput, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { giveAnswer } from '../../api/decisions';
import { sendCommand, type Approval } from '../../api/plans';
import { queryClient } from '../../api/query-client';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { Moment } from '../../ui/moment';
import { ProblemAlert } from '../../ui/problem-alert';
import { useRunWords } from '../../ui/run-words';

interface ApprovalCardProps {
  runId: string;
  approval: Approval;
}

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

/** Shows the next plan steps, whose arguments can be edited before approval (P2, P5). */
export function ApprovalCard({ runId, approval }: ApprovalCardProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [feedback, setFeedback] = useState('');
  const [edited, setEdited] = useState<Record<string, string>>({});
  const sending = useMutation({
    mutationFn: (command: Schemas['PlanCommand']) => sendCommand(runId, command),
  });
  const changed = Object.fromEntries(Object.entries(edited).map(([id, text]) => [id, parsed(text)]));
  const isWrong = Object.values(changed).includes(null);
  const answer = (approved: boolean) =>
    sending.mutate({
      type: 'approval_response',
      checkpoint_id: approval.checkpoint_id,
      approved,
      ...(feedback.trim() === '' ? {} : { feedback: feedback.trim() }),
      ...(approved && Object.keys(changed).length > 0
        ? { arguments: changed as Record<string, Record<string, unknown>> }
        : {}),
    });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('approvalCard.title')}>
      <Stack gap="sm">
        <Title order={2} size="h4" children={t('approvalCard.title')} />
        <Text className="pre-wrap approval-text" size="sm" tabIndex={0}>
          {approval.description}
        </Text>
        <Deadline at={approval.deadline} />
        {approval.context.next_layer.map((task) => (
          <NextTask
            key={task.task_id}
            task={task}
            text={edited[task.task_id]}
            isWrong={changed[task.task_id] === null}
            onChange={
              mayWrite && approval.decision_type !== 'outcome'
                ? (text) => setEdited({ ...edited, [task.task_id]: text })
                : undefined
            }
          />
        ))}
        {sending.error && <ProblemAlert error={sending.error} />}
        {mayWrite && approval.decision_type === 'outcome' && (
          <OutcomeButtons runId={runId} approval={approval} />
        )}
        {mayWrite && approval.decision_type !== 'outcome' && (
          <ApprovalButtons
            isSending={sending.isPending}
            isWrong={isWrong}
            feedback={feedback}
            onFeedback={setFeedback}
            onAnswer={answer}
          />
        )}
      </Stack>
    </Paper>
  );
}

interface ApprovalButtonsProps {
  isSending: boolean;
  /** Whether the edited arguments are not JSON objects. */
  isWrong: boolean;
  feedback: string;
  onFeedback: (text: string) => void;
  onAnswer: (approved: boolean) => void;
}

function ApprovalButtons({ isSending, isWrong, feedback, onFeedback, onAnswer }: ApprovalButtonsProps) {
  const { t } = useTranslation();
  return (
    <Group align="flex-end" justify="flex-end">
      <TextInput
        flex={1}
        miw={180}
        label={t('approvalCard.feedback')}
        value={feedback}
        onChange={(event) => onFeedback(event.currentTarget.value)}
      />
      <Button variant="default" loading={isSending} onClick={() => onAnswer(false)}>
        {t('approvalCard.reject')}
      </Button>
      <Button loading={isSending} disabled={isWrong} onClick={() => onAnswer(true)}>
        {t('approvalCard.approve')}
      </Button>
    </Group>
  );
}

/** Asks for the outcome of a call without a response. */
function OutcomeButtons({ runId, approval }: ApprovalCardProps) {
  const words = useRunWords();
  const answering = useMutation({
    mutationFn: (action: string) => giveAnswer(approval.decision_id, { action }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['plans', runId] }),
  });
  return (
    <>
      {answering.error && <ProblemAlert error={answering.error} />}
      <Group justify="flex-end">
        {approval.options.map((action) => (
          <Button
            key={action}
            variant="default"
            loading={answering.isPending}
            onClick={() => answering.mutate(action)}
          >
            {words.choice(action)}
          </Button>
        ))}
      </Group>
    </>
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
