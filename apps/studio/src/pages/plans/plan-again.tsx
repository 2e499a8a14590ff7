import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runPlanAgain, savePlan, type Plan } from '../../api/plans';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import { ProblemAlert } from '../../ui/problem-alert';
import { Form, textProps } from '../../ui/form';
import { ActionButton } from '../../ui/action-button';

/** Runs a completed plan again with the same files, or saves it under a name. */
export function PlanAgain({ plan, name: shown }: { plan: Plan; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState(shown.slice(0, 200));
  const runAgain = async () => {
    const { id } = await runPlanAgain(plan.id);
    await navigate({ to: '/plans/$runId', params: { runId: id } });
  };
  const saving = useMutation({ mutationFn: () => savePlan(plan.id, name.trim()) });
  if (!useMay('write')) return null;
  return (
    <Form onSubmit={() => saving.mutate()}>
      {saving.error && <ProblemAlert error={saving.error} />}
      <Group align="end" gap="sm">
        <TextInput
          label={t('plans.savedName')}
          description={t('plans.savedHint')}
          maxLength={200}
          {...textProps(name, setName)}
        />
        <Button
          type="submit"
          variant="default"
          loading={saving.isPending}
          disabled={name.trim() === '' || saving.isSuccess}
        >
          {t(saving.isSuccess ? 'plans.saved' : 'plans.save')}
        </Button>
        <ActionButton variant="default" label={t('plans.again')} act={runAgain} />
      </Group>
    </Form>
  );
}
