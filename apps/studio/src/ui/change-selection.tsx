import { changedLines, selectionOf } from '../api/changed-lines';
import { Bullets } from './bullets';
import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import {
  changeQuery,
  decideChange,
  proposeChange,
  type ChangeableText,
  type SelectionChange,
} from '../api/changes';
import { isBlockingError } from '../api/query-client';
import { useRefresh } from '../api/refresh';
import { useRunEvents, type RunEvent } from '../api/run-events';
import { streamedWords } from '../api/streamed-words';
import { ActionButton, SmallButton } from './actions';
import { AnswerBar } from './answer-bar';
import { ConnectionNotice } from './connection-notice';
import { LazyMarkdownEditor } from './lazy-part';
import { LeaveGuard } from './leave-guard';
import { LineForm } from './line-form';
import { formatPercent } from './format';
import { NeedsModel, useHasModel } from './needs-model';
import { ComparedWords } from './proposals/compared-words';
import { ProblemAlert, Card, Hint } from './frames';
import { RouteAnchor } from './route-links';
import { RunError } from './work-name';

/** A part of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Characters of a selection that the form shows. */
const SHOWN_CHARACTERS = 120;

interface ChangeSelectionProps {
  text: ChangeableText;
  /** The stored text, in which `selected` is a part. */
  content: string;
  selected: Span | null;
  /** Whether the page shows unsaved changes, so that `selected` may be another part of the stored text. */
  isEdited: boolean;
  /** What the user wrote, if the page does not save it itself. */
  edited?: string;
  /** Called when the user has accepted a change, with what the user had written for it. */
  onAccept?: (written: string | undefined) => void;
}

/**
 * Shows the Markdown of a text, which can be edited, and of which a selected part can be rewritten. If the text changes
 * elsewhere, what the user wrote stays until it is accepted.
 */
export function SelectableText(props: Pick<ChangeSelectionProps, 'text' | 'content'> & { label: string }) {
  const { text, label, content } = props;
  const [selected, setSelected] = useState<Span | null>(null);
  const [begun, setBegun] = useState(content);
  const [edited, setEdited] = useState(content);
  /** What the user wrote, once it is accepted: the changed text may be fetched before or after that. */
  const [accepted, setAccepted] = useState<string>();
  const isEdited = ![begun, content, accepted].includes(edited);
  if (begun !== content && !isEdited) {
    setBegun(content);
    setEdited(content);
    setSelected(null);
  }
  return (
    <>
      <LeaveGuard of="selection" isLost={isEdited} />
      <LazyMarkdownEditor
        key={begun}
        label={label}
        content={begun}
        marks={[]}
        focus={null}
        readOnly={false}
        onChange={setEdited}
        onSelect={setSelected}
      />
      <ChangeSelection {...{ text, selected, isEdited, edited }} content={begun} onAccept={setAccepted} />
    </>
  );
}

/** Has a selected part of a text rewritten: instruction, streamed words, both versions, decision. */
export function ChangeSelection(props: ChangeSelectionProps) {
  const { text, content, selected, isEdited, edited, onAccept } = props;
  const { t } = useTranslation();
  const hasModel = useHasModel();
  const [runId, setRunId] = useState<string | null>(null);
  const written = useRef<string>(undefined);
  const words = selected && !isEdited ? content.slice(selected.start, selected.end).trim() : '';
  const end = (isAccepted: boolean) => {
    if (isAccepted) onAccept?.(written.current);
    setRunId(null);
  };
  const check = async (own: string) => {
    written.current = own;
    setRunId(await proposeChange(text, changedLines(content, own)));
  };
  return (
    <Card title={t('selection.title')}>
      {runId !== null && <ChangeProposal runId={runId} onEnd={end} />}
      {runId === null && words === '' && (
        <Hint>
          {t(edited === undefined ? `selection.${isEdited ? 'unsaved' : 'hint'}` : 'selection.edit')}
        </Hint>
      )}
      {runId === null && isEdited && edited !== undefined && (
        <Group justify="flex-end">
          <ActionButton label={t('selection.check')} act={() => check(edited)} />
        </Group>
      )}
      {runId === null && words !== '' && (
        <>
          <Text size="sm" lineClamp={2}>
            {t('selection.selected', { words: words.slice(0, SHOWN_CHARACTERS) })}
          </Text>
          {!hasModel && <NeedsModel text={t('needsModel.selection')} />}
          {hasModel && (
            <LineForm
              fields={[
                {
                  name: 'instruction',
                  label: t('selection.instruction'),
                  placeholder: t('selection.example'),
                  maxLength: 4_000,
                },
              ]}
              action={t('selection.propose')}
              onSubmit={async ({ instruction }) => {
                const selection = selectionOf(content, selected!);
                setRunId(await proposeChange(text, { selection, instruction }));
              }}
            />
          )}
        </>
      )}
    </Card>
  );
}

/** Shows the words that a run proposes for a selection, and asks for a decision. */
export function ChangeProposal({ runId, onEnd }: { runId: string; onEnd: (isAccepted: boolean) => void }) {
  const { t } = useTranslation();
  const { events } = useRunEvents(runId);
  const { data: change, error, refetch } = useQuery(changeQuery(runId));
  useRefresh({ id: runId, session_id: change?.session_id ?? '' }, events);
  if (isBlockingError(error, change)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!change || change.state === 'proposing') return <Streaming runId={runId} events={events} />;
  if (change.state !== 'proposed')
    return (
      <>
        <RunError error={change.error} />
        <Group justify="flex-end">
          <SmallButton size="sm" label={t('selection.again')} onClick={() => onEnd(false)} />
        </Group>
      </>
    );
  const decide = async (decision: 'accept' | 'reject') => {
    await decideChange(runId, decision);
    onEnd(decision === 'accept');
  };
  return (
    <>
      <Versions change={change} />
      <AnswerBar
        give={decide}
        choices={() => [
          { label: t('selection.reject'), answer: 'reject' as const },
          { label: t('selection.accept'), answer: 'accept' as const, isMain: true },
        ]}
      />
    </>
  );
}

function Streaming({ runId, events }: { runId: string; events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const asked = events.findLast(({ type }) => type.startsWith('decision_'));
  const answer = events.flatMap(({ type, data }) => (type === 'token' ? [String(data['text'] ?? '')] : []));
  return (
    <>
      <Group gap="sm">
        <Text size="sm" role="status">
          {t('selection.working')}
        </Text>
        <ConnectionNotice runId={runId} />
      </Group>
      {asked?.type === 'decision_required' && (
        <Alert color="yellow">
          {t('selection.asks')} <RouteAnchor to="/inbox">{t('selection.answer')}</RouteAnchor>
        </Alert>
      )}
      <div className="verbatim" role="region" aria-label={t('selection.stream')}>
        {streamedWords(answer.join(''))}
      </div>
    </>
  );
}

function Versions({ change }: { change: SelectionChange }) {
  const { t } = useTranslation();
  const { before, after, note, findings, acceptable, ledger } = change;
  const listed = [...findings.map(({ message }) => message), ...(ledger?.issues ?? [])];
  return (
    <div role="region" aria-label={t('selection.proposal')}>
      <ComparedWords before={before} after={after ?? ''} />
      {after === '' && <Text size="sm">{t('selection.removed')}</Text>}
      {note !== null && <Text size="sm">{note}</Text>}
      {ledger !== null && ledger.coverage !== null && (
        <Text size="sm">{t('selection.carried', { share: formatPercent(ledger.coverage) })}</Text>
      )}
      {listed.length > 0 && (
        <Alert mt="xs" color={acceptable ? 'yellow' : 'red'}>
          <Bullets items={listed} />
        </Alert>
      )}
    </div>
  );
}
