import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/client';
import { ProblemAlert } from './problem-alert';
import { textProps } from './form';

export type Overruled = Schemas['FindingChanges']['overruled'];
/** Says that a finding is wrong or, with null, that it counts again. @throws ApiProblem */
export type RuleOnFinding = (findingId: string, overruled: Overruled) => Promise<unknown>;

/** Longest reason, in characters. */
const MAX_REASON = 1_000;

interface FindingRulingProps {
  finding: Schemas['Finding'];
  /** Absent if the user may not say so now. */
  onRule?: RuleOnFinding | undefined;
}

/** Shows that a finding is marked as wrong, and lets its author mark it and take that back. */
export function FindingRuling({ finding: { id, overruled }, onRule }: FindingRulingProps) {
  const { t } = useTranslation();
  /** Null until the author says that the finding is wrong. */
  const [reason, setReason] = useState<string | null>(null);
  const ruling = useMutation({
    mutationFn: (ruled: Overruled) => onRule!(id, ruled),
    onSuccess: () => setReason(null),
  });
  const button = { size: 'compact-xs', variant: 'default', mt: 4, loading: ruling.isPending } as const;
  return (
    <>
      {overruled && (
        <Text size="sm" fw={600}>
          {overruled.reason === null
            ? t('finding.overruled')
            : t('finding.overruledBecause', { reason: overruled.reason })}
        </Text>
      )}
      {onRule && overruled && (
        <Button {...button} onClick={() => ruling.mutate(null)}>
          {t('finding.restore')}
        </Button>
      )}
      {onRule && !overruled && reason === null && (
        <Button {...button} onClick={() => setReason('')}>
          {t('finding.wrong')}
        </Button>
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
          <Button {...button} onClick={() => ruling.mutate({ reason: reason.trim() || null })}>
            {t('finding.overrule')}
          </Button>
        </Group>
      )}
      {ruling.error && <ProblemAlert error={ruling.error} />}
    </>
  );
}
