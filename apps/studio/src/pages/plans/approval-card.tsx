import { Fieldset, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { giveAnswer, noteAnswerHere, type Decision } from '../../api/decisions';
import { CallTable, InterruptedItems, type ItemAnswers } from './call-table';
import { planQuery, sendCommand, type Approval } from '../../api/plans';
import { queryClient } from '../../api/query-client';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { AnswerBar } from '../../ui/answer-bar';
import { Moment } from '../../ui/moment';
import { PageLoader } from '../../ui/page-loader';
import { useRunWords } from '../../ui/run-words';
import { usePhrases } from '../../ui/use-phrases';
import { Card, Hint } from '../../ui/card';
import { Passage } from '../../ui/reading/passage';
import { textProps } from '../../ui/form';
import { ready } from '../../ui/ready';

interface ApprovalCardProps {
  runId: string;
  approval: Approval;
}

/** Edited arguments as text, by task and name. */
type Edits = Record<string, Record<string, string>>;

type NextTaskView = Approval['context']['next_layer'][number];

/** Returns the value that a person typed: text stays text; anything else is JSON, or undefined if it is not valid. */
function typedValue(text: string, planned: unknown): unknown {
  if (typeof planned === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An argument that was missing may be any text.
    return planned === undefined ? text : undefined;
  }
}

/** The changes of single calls are a list and an object. */
const shownArguments = ({ arguments: planned, resolved, calls }: NextTaskView): Record<string, unknown> =>
  calls ? { skip: [], replace: {} } : (resolved ?? planned);

/** Fetches and shows the open approval of a plan. */
export default function PlanApproval({ decision }: { decision: Decision }) {
  const [data, instead] = ready(useQuery(planQuery(decision.run_id)));
  if (instead) return instead;
  const approval = data.approval_required;
  if (!approval || approval.decision_id !== decision.id) return <PageLoader />;
  return <ApprovalCard key={approval.checkpoint_id} runId={decision.run_id} approval={approval} />;
}

/** Shows the next plan steps, whose arguments can be edited before approval (P2, P5). */
export function ApprovalCard({ runId, approval }: ApprovalCardProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [edited, setEdited] = useState<Edits>({});
  // The rest explains to programs how to answer.
  const english = approval.description.split('\n## What your answer does')[0]!;
  const summary = usePhrases()(approval.phrase, english);
  const tasks = approval.context.next_layer;
  const changed = changedArguments(tasks, edited);
  return (
    <Card title={t('approvalCard.title')}>
      <div className="approval-text">
        <Passage label={t('approvalCard.summary')} markdown={summary} />
      </div>
      <Deadline at={approval.deadline} />
      <NextTasks
        tasks={tasks}
        edited={edited}
        onChange={mayWrite && approval.decision_type !== 'outcome' ? setEdited : undefined}
      />
      <ApprovalAnswers runId={runId} approval={approval} changed={changed} />
    </Card>
  );
}

/** Returns the changed arguments by task; undefined for a value that is not valid. */
const changedArguments = (tasks: NextTaskView[], edited: Edits): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(edited).map(([id, texts]) => {
      const planned = tasks.find(({ task_id }) => task_id === id);
      const values = planned ? shownArguments(planned) : {};
      return [
        id,
        Object.fromEntries(
          Object.entries(texts).map(([name, text]) => [name, typedValue(text, values[name])]),
        ),
      ];
    }),
  );

interface NextTasksProps {
  tasks: NextTaskView[];
  edited: Edits;
  /** Undefined if the user may only read. */
  onChange: ((edited: Edits) => void) | undefined;
}

/**
 * Shows what the next plan steps get, with results filled in; on demand for steps without side effects, because the
 * summary names them.
 */
function NextTasks({ tasks, edited, onChange }: NextTasksProps) {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <details
      open={tasks.some(
        ({ missing, resolved, side_effects }) => missing.length > 0 || side_effects || resolved,
      )}
    >
      <summary>{t(onChange ? 'approvalCard.change' : 'approvalCard.arguments')}</summary>
      <Stack gap="sm" mt="sm">
        {tasks.map((task) => (
          <NextTask
            key={task.task_id}
            task={task}
            edited={edited[task.task_id] ?? {}}
            onChange={onChange && ((texts) => onChange({ ...edited, [task.task_id]: texts }))}
          />
        ))}
      </Stack>
    </details>
  );
}

interface ApprovalAnswersProps extends ApprovalCardProps {
  changed: ReturnType<typeof changedArguments>;
}

function ApprovalAnswers({ runId, approval, changed }: ApprovalAnswersProps) {
  const { t } = useTranslation();
  if (approval.decision_type === 'outcome') return <OutcomeAnswers runId={runId} approval={approval} />;
  const respond = (approved: boolean, feedback: string): Schemas['PlanCommand'] => ({
    type: 'approval_response',
    checkpoint_id: approval.checkpoint_id,
    approved,
    ...(feedback === '' ? {} : { feedback }),
    ...(approved && Object.keys(changed).length > 0 ? { arguments: changed } : {}),
  });
  const isWrong = Object.values(changed).some((values) => Object.values(values).includes(undefined));
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

function OutcomeAnswers({ runId, approval }: ApprovalCardProps) {
  const words = useRunWords();
  const [items, setItems] = useState<ItemAnswers>({});
  const interrupted = approval.context.results.flatMap(({ interrupted_items: some = [] }) => some);
  return (
    <>
      {interrupted.length > 0 && <InterruptedItems items={interrupted} answers={items} onChange={setItems} />}
      <AnswerBar
        give={async (action: string) => {
          const hasOwn = Object.keys(items).length > 0 && action !== 'abort';
          await giveAnswer(approval.decision_id, hasOwn ? { action, items } : { action });
          await queryClient.invalidateQueries({ queryKey: ['plans', runId] });
        }}
        choices={() => approval.options.map((action) => ({ label: words.choice(action), answer: action }))}
      />
    </>
  );
}

interface NextTaskProps {
  task: NextTaskView;
  edited: Record<string, string>;
  /** Undefined if the user may only read. */
  onChange: ((edited: Record<string, string>) => void) | undefined;
}

/** Shows a field for each argument of a plan step: text as text, anything else as JSON. */
function NextTask({ task, edited, onChange }: NextTaskProps) {
  const { t } = useTranslation();
  const { task_id: id, tool, side_effects: hasEffects, missing, purpose } = task;
  const values = shownArguments(task);
  const notes = [
    purpose,
    hasEffects && t('approvalCard.sideEffects'),
    missing.length > 0 && t('approvalCard.missing', { names: missing.join(', ') }),
  ];
  return (
    <Fieldset legend={`${id} · ${tool}`} role="group">
      <Hint children={notes.filter(Boolean).join(' ')} />
      {task.calls && (
        <CallTable
          calls={task.calls}
          onChange={onChange && ((changes) => onChange({ ...edited, ...changes }))}
        />
      )}
      {[...new Set([...(task.calls ? [] : Object.keys(values)), ...missing])].map((name) => {
        const value = values[name];
        const text =
          edited[name] ?? (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));
        return (
          <Textarea
            key={name}
            label={name}
            maxRows={30}
            readOnly={!onChange}
            error={typedValue(text, value) === undefined && t('plans.notJson')}
            {...textProps(text, (typed) => onChange?.({ ...edited, [name]: typed }))}
          />
        );
      })}
    </Fieldset>
  );
}

function Deadline({ at }: { at: string | null }) {
  const { t } = useTranslation();
  if (at === null) return null;
  return (
    <Hint>
      {t('approvalCard.deadline')} <Moment at={at} />
    </Hint>
  );
}
