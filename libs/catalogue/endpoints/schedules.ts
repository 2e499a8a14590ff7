import { listOf } from '#contracts/api/schemas.js';
import * as schedules from '../schedule-schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `schedules`. */
export const schedulesEndpoints = defineEndpoints('schedules', {
  createSchedule: {
    method: 'POST',
    path: '/api/schedules',
    summary: 'Start runs at planned times or by events; none is missed or started twice',
    body: schedules.newScheduleSchema,
    status: 201,
    response: schedules.createdScheduleSchema,
    shownOnce: 'secret',
    errors: ['not_found', 'too_many_schedules', 'fetching_off', 'bucket_refused'],
  },
  previewSchedule: {
    method: 'POST',
    path: '/api/schedules/preview',
    summary: 'List the next ten planned times of a schedule before it is created',
    body: schedules.schedulePreviewSchema,
    scope: 'read',
    response: schedules.plannedTimesSchema,
  },
  listSchedules: {
    method: 'GET',
    path: '/api/schedules',
    summary: 'List all schedules by name (a tenant may have 200)',
    response: listOf(schedules.scheduleSchema),
  },
  getSchedule: {
    method: 'GET',
    path: '/api/schedules/:schedule_id',
    summary: 'Read a schedule with its next planned times and its last firings',
    response: schedules.scheduleWithFiringsSchema,
  },
  changeSchedule: {
    method: 'PATCH',
    path: '/api/schedules/:schedule_id',
    summary: 'Rename, pause or resume a schedule; times that pass during a pause are not missed',
    body: schedules.scheduleChangesSchema,
    response: schedules.scheduleSchema,
    errors: ['fetching_off', 'bucket_refused'],
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/api/schedules/:schedule_id',
    summary: 'Delete a schedule; its runs stay',
  },
  fireSchedule: {
    method: 'POST',
    path: '/api/schedules/:schedule_id/fire',
    summary: 'Start a run of the schedule now, also while it is paused',
    status: 202,
    response: schedules.firingSchema,
  },
  deliverEvent: {
    method: 'POST',
    path: '/api/triggers/:schedule_id/deliveries',
    summary:
      'Start the run of a webhook trigger. Signed as Standard Webhooks are: webhook-id, webhook-timestamp (at most five minutes off) and webhook-signature; a repeated ID starts nothing',
    open: 'signed',
    body: schedules.deliverySchema,
    status: 202,
    response: schedules.firingSchema,
    errors: ['unauthorized', 'schedule_paused', 'too_many_requests'],
  },
  rotateTriggerSecret: {
    method: 'POST',
    path: '/api/triggers/:schedule_id/secret',
    summary:
      'Replace the secret of a webhook trigger; deliveries that are signed with the old one are refused',
    response: schedules.createdScheduleSchema,
    shownOnce: 'secret',
  },
  syncCollection: {
    method: 'POST',
    path: '/api/knowledge/collections/:collection_id/sync',
    summary:
      'Read the pages of a collection again and replace the changed ones; GET /api/schedules/{id} shows the result',
    body: schedules.newSyncSchema,
    status: 202,
    response: schedules.startedSyncSchema,
    errors: ['fetching_off', 'too_many_schedules'],
  },
});
