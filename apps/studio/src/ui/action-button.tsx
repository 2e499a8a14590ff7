import { Button, type ButtonProps } from '@mantine/core';
import { type Mutation, useIsMutating, useMutation, useMutationState } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton } from './confirm-button';
import { ProblemAlert } from './problem-alert';

interface ActionButtonProps extends ButtonProps {
  label: string;
  'aria-label'?: string;
  /** Whether it looks like one of several actions next to each other: small and grey. */
  isSmall?: boolean;
  /** Actions of which only one can be in progress. */
  group?: string;
  /** @throws ApiProblem */
  act: () => Promise<unknown>;
}

const SMALL = { size: 'xs', variant: 'default' } as const;

/** Returns an action, whether it or another one of its group is in progress, and why it failed, until a later one succeeds. */
function useAction(act: () => Promise<unknown>, group?: string) {
  const own = useId();
  const mutationKey = [group ?? own];
  const { mutate, isPending, error, submittedAt } = useMutation({ mutationKey, mutationFn: act });
  const isBusy = useIsMutating({ mutationKey }) > 0;
  const done = {
    filters: { status: 'success' },
    select: ({ state }: Mutation) => state.submittedAt,
  } as const;
  const isOld = useMutationState(done).some((at) => at > submittedAt);
  return { mutate, isPending, isBusy, problem: error && !isOld && <ProblemAlert error={error} /> };
}

/** A button that shows that its action is not finished, or why it failed. */
export function ActionButton(props: ActionButtonProps) {
  const { label, act, group, isSmall = false, loading = false, disabled = false, ...look } = props;
  const { mutate, isPending, isBusy, problem } = useAction(act, group);
  return (
    <>
      <Button
        {...(isSmall && SMALL)}
        {...look}
        loading={loading || isPending}
        disabled={disabled || (isBusy && !isPending)}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      {problem}
    </>
  );
}

type ConfirmedActionProps = Omit<ComponentProps<typeof ConfirmButton>, 'onConfirm' | 'loading'> &
  Pick<ActionButtonProps, 'act'>;

/** Does something that cannot be undone, on a second press. */
export function ConfirmedAction({ act, ...look }: ConfirmedActionProps) {
  const { mutate, isPending, problem } = useAction(act);
  return (
    <>
      <ConfirmButton {...look} loading={isPending} onConfirm={() => mutate()} />
      {problem}
    </>
  );
}

type RemoveButtonProps = Omit<ConfirmedActionProps, 'label' | 'confirm'>;

/** Removes something that cannot be restored, on a second press. */
export function RemoveButton(props: RemoveButtonProps) {
  const { t } = useTranslation();
  return <ConfirmedAction label={t('knowledge.remove')} confirm={t('knowledge.removeNow')} {...props} />;
}
