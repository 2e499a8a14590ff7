import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { decisionQuery, isAnsweredHere, type Decision } from '../../api/decisions';
import { sessionQuery } from '../../api/session';
import { Moment } from '../../ui/format';
import { useRunWords } from '../../ui/run-words';

/** Shows the authors of answers to questions that disappeared from the page. Only the first answer counts. */
export function AnsweredElsewhere({ open }: { open: readonly Decision[] | undefined }) {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const fresh = open?.filter(({ id }) => !seen.includes(id)) ?? [];
  if (fresh.length > 0) setSeen([...seen, ...fresh.map(({ id }) => id)]);
  const gone = seen.filter((id) => open && !open.some((decision) => decision.id === id));
  return gone.filter((id) => !isAnsweredHere(id)).map((id) => <Notice key={id} decisionId={id} />);
}

function Notice({ decisionId }: { decisionId: string }) {
  const words = useRunWords();
  const { data: decision } = useQuery(decisionQuery(decisionId));
  if (!decision?.answered_by || decision.status !== 'answered') return null;
  return (
    <Alert
      color="blue"
      role="status"
      title={`${decision.run_title ?? words.kind(decision.run_kind)}: ${words.waiting(decision.decision_type)}`}
    >
      <AnsweredBy decision={decision} own="decision.byOwnKey" />
    </Alert>
  );
}

/** Says who answered a question, and when. @param own text for an answer with the user's own key */
export function AnsweredBy({ decision, own }: { decision: Decision; own: string }) {
  const { answered_by: key, answered_at: at } = decision;
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const others = key === 'deadline' ? t('decision.byDeadline') : t('decision.byKey', { key: key ?? '' });
  return (
    <Text size="sm">
      {key === session?.api_key_id ? t(own) : others} {at && <Moment at={at} />}
    </Text>
  );
}
