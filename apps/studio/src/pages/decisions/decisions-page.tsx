import { Badge, Group, Stack, Tabs, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import {
  allDecisionsQuery,
  askToNotify,
  decisionQuery,
  notificationsQuery,
  openDecisionsQuery,
  type Decision,
} from '../../api/decisions';
import { call } from '../../api/api-query';
import { useMay } from '../../api/session';
import { NewLink } from '../../ui/copy-text';
import { Age } from '../../ui/format';
import { EmptyState, PageHeader, Hint, PageLoader, ProblemAlert } from '../../ui/frames';
import { useRunWords } from '../../ui/run-words';
import { useTab } from '../../ui/page-tabs';
import { DecisionLink } from '../../ui/work-name';
import { AnsweredElsewhere } from './answered-elsewhere';
import DecisionReview from './decision-review';
import './inbox.css';
import { ActionButton, SmallButton } from '../../ui/actions';

/** Lists the questions of all runs, open or answered, next to the chosen one in the form of its own page. */
export default function DecisionsPage() {
  const { t } = useTranslation();
  const [tab, setTab] = useTab('open', 'show');
  const [question, setQuestion] = useTab('', 'question');
  const open = useQuery(openDecisionsQuery);
  const { data: mayNotify } = useQuery(notificationsQuery);
  const all = useQuery({ ...allDecisionsQuery, enabled: tab === 'answered' });
  const { data, error, isPending, refetch } = tab === 'answered' ? all : open;
  const items = data?.items.filter(({ status }) => (status === 'open') === (tab === 'open')) ?? [];
  if (tab === 'answered') items.sort((a, b) => (b.answered_at ?? '').localeCompare(a.answered_at ?? ''));
  const { chosen, at } = useChosen(items, tab, question);
  const move = (step: 1 | -1) => setQuestion(items[Math.max(0, at + step)]?.id ?? question);
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ]);
  return (
    <>
      <PageHeader title={t('decisions.title')}>
        {items.length > 1 && <Hint className="inbox-keys">{t('decisions.keys')}</Hint>}
        {mayNotify === 'default' && <ActionButton isSmall label={t('decisions.notify')} act={askToNotify} />}
      </PageHeader>
      <Tabs
        value={tab}
        onChange={(next) => {
          setTab(next);
          setQuestion('');
        }}
        mb="md"
      >
        <Tabs.List>
          <Tabs.Tab value="open">{t('decisions.open')}</Tabs.Tab>
          <Tabs.Tab value="answered">{t('decisions.answered')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      <AnsweredElsewhere open={open.data?.items} />
      {data && items.length === 0 && tab === 'open' && (
        <EmptyState title={t('decisions.empty')} text={t('decisions.emptyText')} />
      )}
      {data && !chosen && tab !== 'open' && <Text c="dimmed">{t('list.nothingFound')}</Text>}
      {chosen && (
        <div className="inbox" data-chosen={question !== '' || undefined}>
          <ul className="inbox-list" aria-label={t('decisions.title')}>
            {items.map((decision) => (
              <Entry
                key={decision.id}
                decision={decision}
                isChosen={decision.id === chosen.id}
                onChoose={() => setQuestion(decision.id)}
              />
            ))}
          </ul>
          <Stack key={chosen.id} gap="xs" className="inbox-review">
            <SmallButton
              className="inbox-back"
              label={`← ${t('decisions.title')}`}
              onClick={() => setQuestion('')}
            />
            <Origin decision={chosen} />
            <DecisionReview decision={chosen} />
          </Stack>
        </div>
      )}
    </>
  );
}

interface EntryProps {
  decision: Decision;
  isChosen: boolean;
  onChoose: () => void;
}

function Entry({ decision, isChosen, onChoose }: EntryProps) {
  const { t } = useTranslation();
  const words = useRunWords();
  const { run_title: title, run_kind: kind, deadline } = decision;
  return (
    <li>
      <button type="button" className="inbox-entry" aria-current={isChosen} onClick={onChoose}>
        <strong>{title ?? words.kind(kind)}</strong>
        <span>
          {words.waiting(decision.decision_type)} · <Age at={decision.created_at} />
        </span>
        {decision.status === 'open' && deadline && (
          <span>
            {t('decision.deadline')} <Age at={deadline} />
          </span>
        )}
      </button>
    </li>
  );
}

/**
 * Returns the question of the address, also if it was answered before, otherwise the first. It stays until the person
 * chooses another, also if newer questions arrive or somebody answers it.
 */
function useChosen(items: readonly Decision[], tab: string, question: string) {
  const [pinned, setPinned] = useState<{ by: string; decision: Decision }>();
  const by = `${tab} ${question}`;
  const first = question === '' ? items[0] : items.find(({ id }) => id === question);
  if (first && pinned?.by !== by) setPinned({ by, decision: first });
  const decision = pinned?.by === by ? pinned.decision : undefined;
  const id = decision?.id ?? question;
  const at = items.findIndex((item) => item.id === id);
  const gone = useQuery({ ...decisionQuery(id), enabled: id !== '' && at === -1, placeholderData: decision });
  return { chosen: items[at] ?? gone.data ?? (gone.isError ? items[0] : undefined), at };
}

/** Links to the work that asks, and says who should answer. */
function Origin({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const [path, setPath] = useState<string>();
  const makeLink = async () =>
    setPath((await call('POST /api/decisions/{decision_id}/links', { decision_id: decision.id })).path);
  return (
    <Group gap="sm">
      <DecisionLink decision={decision} />
      <Badge variant="default">{words.kind(decision.run_kind)}</Badge>
      {decision.assignee !== null && <Hint>{t('decision.assignee', { who: decision.assignee })}</Hint>}
      {useMay('write') && decision.status === 'open' && decision.quorum === 1 && (
        <ActionButton isSmall label={t('decision.link')} act={makeLink} />
      )}
      {path && <NewLink path={path} />}
    </Group>
  );
}
