//! Bounded queue with round-robin scheduling between clients.

use std::{
    collections::VecDeque,
    net::{IpAddr, SocketAddr},
};

/// Identity of a client for scheduling: the connection on this machine, the address elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ClientId {
    Local(u16),
    Remote(IpAddr),
}

impl From<SocketAddr> for ClientId {
    fn from(address: SocketAddr) -> Self {
        if address.ip().is_loopback() { Self::Local(address.port()) } else { Self::Remote(address.ip()) }
    }
}

/// Waiting jobs by client. Clients take turns, and the jobs of a client stay in order.
#[derive(Debug)]
pub(crate) struct FairQueue<T> {
    /// Clients with waiting jobs, the next one first.
    clients: VecDeque<(ClientId, VecDeque<T>)>,
    waiting: usize,
    capacity: usize,
}

impl<T> FairQueue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { clients: VecDeque::new(), waiting: 0, capacity }
    }

    /// Adds a job. Returns it if the queue is full, or if the client already has half of the places.
    pub(crate) fn push(&mut self, client: ClientId, job: T) -> Result<(), T> {
        let own = self.clients.iter_mut().find(|(other, _)| *other == client).map(|(_, jobs)| jobs);
        let share = self.capacity.div_ceil(2);
        if self.waiting >= self.capacity || own.as_ref().is_some_and(|jobs| jobs.len() >= share) {
            return Err(job);
        }
        self.waiting += 1;
        match own {
            Some(jobs) => jobs.push_back(job),
            None => self.clients.push_back((client, VecDeque::from([job]))),
        }
        Ok(())
    }

    /// Removes the next job and moves its client to the end of the rotation.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let (client, mut jobs) = self.clients.pop_front()?;
        let job = jobs.pop_front()?;
        self.waiting -= 1;
        if !jobs.is_empty() {
            self.clients.push_back((client, jobs));
        }
        Some(job)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clients_take_turns() {
        let mut queue = FairQueue::new(10);
        for (client, job) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            queue.push(ClientId::Local(client), job).unwrap();
        }
        let order: Vec<&str> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
    }

    #[test]
    fn one_client_leaves_room_for_others() {
        let mut queue = FairQueue::new(4);
        let mut push = |client, job| queue.push(ClientId::Local(client), job);
        assert_eq!([push(1, 1), push(1, 2), push(1, 3)], [Ok(()), Ok(()), Err(3)]);
        assert_eq!([push(2, 4), push(3, 5), push(4, 6)], [Ok(()), Ok(()), Err(6)]);
    }

    proptest! {
        /// No job is lost or duplicated, the jobs of a client stay in order, and no waiting client is overtaken twice.
        #[test]
        fn jobs_are_served_round_robin(pushes in prop::collection::vec(0u16..5, 0..40)) {
            let mut queue = FairQueue::new(30);
            let mut accepted = Vec::new();
            for (job, &client) in pushes.iter().enumerate() {
                if queue.push(ClientId::Local(client), (client, job)).is_ok() {
                    accepted.push((client, job));
                }
            }
            prop_assert_eq!(queue.len(), accepted.len());
            let served: Vec<(u16, usize)> = std::iter::from_fn(|| queue.pop()).collect();
            for client in 0..5 {
                let of = |jobs: &[(u16, usize)]| jobs.iter().filter(|job| job.0 == client).copied().collect::<Vec<_>>();
                prop_assert_eq!(of(&served), of(&accepted));
                let turns: Vec<usize> = (0..served.len()).filter(|&at| served[at].0 == client).collect();
                for pair in turns.windows(2) {
                    let between: Vec<u16> = served[pair[0] + 1..pair[1]].iter().map(|job| job.0).collect();
                    let mut once = between.clone();
                    once.sort_unstable();
                    once.dedup();
                    prop_assert_eq!(once.len(), between.len());
                }
            }
        }
    }
}
