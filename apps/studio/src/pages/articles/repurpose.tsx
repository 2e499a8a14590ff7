import { Button, Checkbox, Group, Paper, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { startRepurposing } from '../../api/articles';
import type { Run } from '../../api/runs';
import { ProblemAlert } from '../../ui/problem-alert';
import { PLATFORMS, type Platform } from './platform-text';

/** Rewrites an approved article for the chosen platforms (A14). */
export function Repurpose({ run }: { run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [platforms, setPlatforms] = useState<Platform[]>(PLATFORMS);
  const starting = useMutation({
    mutationFn: () => startRepurposing(run.session_id, platforms),
    onSuccess: ({ id }) => navigate({ to: '/articles/$runId', params: { runId: id } }),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('repurpose.title')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('repurpose.title')}
        </Title>
        <Checkbox.Group
          label={t('repurpose.where')}
          value={platforms}
          onChange={(chosen) => setPlatforms(chosen as Platform[])}
        >
          <Group mt="xs">
            {PLATFORMS.map((platform) => (
              <Checkbox key={platform} value={platform} label={t(`articleResult.${platform}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        {starting.error && <ProblemAlert error={starting.error} />}
        <Group justify="flex-end">
          <Button
            loading={starting.isPending}
            disabled={platforms.length === 0}
            onClick={() => starting.mutate()}
          >
            {t('repurpose.start')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
