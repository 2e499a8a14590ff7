import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runPlanAgain, savePlan, type Plan } from '../../api/plans';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import { ProblemAlert } from '../../ui/problem-alert';
import { Form } from '../../ui/form';

/** Runs a completed plan again with the same files, or saves it under a name. */
export function PlanAgain({ plan, name: shown }: { plan: Plan; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState(shown.slice(0, 200));
  const starting = useMutation({
    mutationFn: () => runPlanAgain(plan.id),
    onSuccess: ({ id }) => navigate({ to: '/plans/$runId', params: { runId: id } }),
  });
  const saving = useMutation({ mutationFn: () => savePlan(plan.id, name.trim()) });
  if (!useMay('write')) return null;
  const error = starting.error ?? saving.error;
  return (
    <Form onSubmit={() => saving.mutate()}>
      {error && <ProblemAlert error={error} />}
      <Group align="end" gap="sm">
        <TextInput
          label={t('plans.savedName')}
          description={t('plans.savedHint')}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={saving.isPending}
          disabled={name.trim() === '' || saving.isSuccess}
        >
          {t(saving.isSuccess ? 'plans.saved' : 'plans.save')}
        </Button>
        <Button variant="default" loading={starting.isPending} onClick={() => starting.mutate()}>
          {t('plans.again')}
        </Button>
      </Group>
    </Form>
  );
}
