import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** Attributes of a link's element. */
export type AnchorTag = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>;

/** A link to a page of the studio; its parameters are checked against the route. */
export const RouteAnchor = createLink((props: AnchorProps & AnchorTag) => <Anchor {...props} />);
