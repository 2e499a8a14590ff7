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
  const { t } = useTranslation();
  const words = useRunWords();
  const { data: session } = useQuery(sessionQuery);
  const { data: decision } = useQuery(decisionQuery(decisionId));
  const by = decision?.answered_by;
  if (!decision || decision.status !== 'answered' || !by) return null;
  const isOwn = by === session?.api_key_id;
  return (
    <Alert
      color="blue"
      role="status"
      title={`${decision.run_title ?? words.kind(decision.run_kind)}: ${words.question(decision.decision_type)}`}
    >
      <Text size="sm">
        {by === 'deadline' && t('decision.byDeadline')}
        {by !== 'deadline' && (isOwn ? t('decision.byOwnKey') : t('decision.byKey', { key: by }))}{' '}
        {decision.answered_at && <Moment at={decision.answered_at} />}
      </Text>
    </Alert>
  );
}
