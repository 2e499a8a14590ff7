import { Group, Text, TextInput, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/api-query';
import { textProps, SmallButton, ActionButton } from './actions';
import { StateBadge } from './frames';
import { usePhrases } from './run-words';

type Finding = Schemas['Finding'];

interface FindingListProps {
  findings: readonly Finding[];
  onChoose: (finding: Finding) => void;
  /** Absent if the user may not mark findings as wrong now. */
  onRule?: RuleOnFinding | undefined;
}

/** Lists findings with their evidence; choosing one jumps to its location in the text (B26). */
export function FindingList({ findings, onChoose, onRule }: FindingListProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" className="finding-list" tabIndex={0} role="region" aria-label={t('finding.title')}>
      {findings.map((finding) => (
        <Paper key={finding.id} withBorder p="xs">
          <StateBadge
            size="sm"
            state={finding.severity}
            text={t(`severity.${finding.severity}`)}
            title={finding.rule}
          />
          <FindingText finding={finding} />
          {finding.span && (
            <SmallButton
              {...{ size: 'compact-xs', mt: 4, mr: 'xs' }}
              label={t('finding.show')}
              onClick={() => onChoose({ ...finding })}
            />
          )}
          <FindingRuling finding={finding} onRule={onRule} />
        </Paper>
      ))}
    </Stack>
  );
}

/** Shows the reason of a finding, what it suggests, and its evidence. */
export function FindingText({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const { message, phrase, suggestion, suggestion_phrase: advice, evidence } = finding;
  return (
    <>
      <Text size="sm">{render(phrase, message)}</Text>
      {suggestion?.trim() && (
        <Text size="sm" c="dimmed">
          {advice ? render(advice, suggestion) : t('finding.suggested', { text: suggestion })}
        </Text>
      )}
      {evidence.map((proof, index) => (
        <Text key={index} size="xs" className="quoted">
          {render(proof.phrase, proof.text)}
        </Text>
      ))}
    </>
  );
}

export type Overruled = Schemas['FindingChanges']['overruled'];
/** Says that a finding is wrong or, with null, that it counts again. @throws ApiProblem */
export type RuleOnFinding = (findingId: string, overruled: Overruled) => Promise<unknown>;

/** Longest reason, in characters. */
const MAX_REASON = 1_000;

/** Shows that a finding is marked as wrong, and lets its author mark it and take that back. */
function FindingRuling({ finding, onRule }: { finding: Finding } & Pick<FindingListProps, 'onRule'>) {
  const { id, overruled } = finding;
  const { t } = useTranslation();
  /** Null until the author says that the finding is wrong. */
  const [reason, setReason] = useState<string | null>(null);
  const small = { size: 'compact-xs', variant: 'default', mt: 4 } as const;
  const { reason: because = null } = overruled ?? {};
  const overrule = async () => {
    await onRule?.(id, { reason: reason?.trim() || null });
    setReason(null);
  };
  return (
    <>
      {overruled && (
        <Text size="sm" fw={600}>
          {because === null ? t('finding.overruled') : t('finding.overruledBecause', { reason: because })}
        </Text>
      )}
      {onRule && overruled && (
        <ActionButton {...small} label={t('finding.restore')} act={() => onRule(id, null)} />
      )}
      {onRule && !overruled && reason === null && (
        <SmallButton {...small} label={t('finding.wrong')} onClick={() => setReason('')} />
      )}
      {onRule && !overruled && reason !== null && (
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            size="xs"
            label={t('finding.reason')}
            maxLength={MAX_REASON}
            {...textProps(reason, setReason)}
          />
          <ActionButton {...small} label={t('finding.overrule')} act={overrule} />
        </Group>
      )}
    </>
  );
}
