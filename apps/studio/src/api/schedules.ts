import { queryOptions } from '@tanstack/react-query';
import { apiChange, apiQuery } from './api-query';
import { api, type Schemas, unwrap } from './client';

export type Schedule = Schemas['Schedule'];

const pathOf = (id: string) => ({ path: { schedule_id: id } });

export const schedulesQuery = apiQuery(['schedules'], '/api/schedules', {});

export const scheduleQuery = (id: string) =>
  apiQuery(['schedules', id], '/api/schedules/{schedule_id}', pathOf(id));

/** Query for the next ten planned times of a timing that is not stored yet. */
export const plannedTimesQuery = (cron: string, timeZone: string) =>
  queryOptions({
    queryKey: ['planned-times', cron, timeZone],
    queryFn: () => unwrap(api.POST('/api/schedules/preview', { body: { cron, time_zone: timeZone } })),
    retry: false,
  });

/** @throws ApiProblem */
export const createSchedule = (body: Schemas['NewSchedule']) =>
  apiChange(api.POST('/api/schedules', { body }), ['schedules']);

/** @throws ApiProblem */
export const changeSchedule = (id: string, body: Schemas['ScheduleChanges']) =>
  apiChange(api.PATCH('/api/schedules/{schedule_id}', { params: pathOf(id), body }), ['schedules']);

/** Starts a run of the schedule now. @throws ApiProblem */
export const fireSchedule = (id: string) =>
  apiChange(api.POST('/api/schedules/{schedule_id}/fire', { params: pathOf(id) }), ['schedules']);

/** @throws ApiProblem */
export const deleteSchedule = (id: string) =>
  apiChange(api.DELETE('/api/schedules/{schedule_id}', { params: pathOf(id) }), ['schedules']);
