//! Bounded queue with round-robin scheduling between clients.

use std::{
    collections::VecDeque,
    net::{IpAddr, SocketAddr},
};

use crate::guard;

/// Identity of a client for scheduling: the connection on this machine, the network elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ClientId {
    Local(u16),
    Remote(IpAddr),
}

impl From<SocketAddr> for ClientId {
    fn from(address: SocketAddr) -> Self {
        match address.ip() {
            ip if ip.is_loopback() => Self::Local(address.port()),
            ip => Self::Remote(guard::network(ip)),
        }
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

    /// Adds a job. In a full queue it takes the place of the last job of the client with the most, if that one then still
    /// has as many as `client`. Returns the job that has no place.
    pub(crate) fn push(&mut self, client: ClientId, job: T) -> Option<T> {
        let own = self.clients.iter().position(|(other, _)| *other == client);
        let mut displaced = None;
        if self.waiting >= self.capacity {
            let own_jobs = own.map_or(0, |at| self.clients[at].1.len());
            let most = self.clients.iter_mut().map(|(_, jobs)| jobs).max_by_key(|jobs| jobs.len());
            let Some(most) = most.filter(|jobs| jobs.len() > own_jobs + 1) else { return Some(job) };
            displaced = most.pop_back();
            self.waiting -= 1;
        }
        self.waiting += 1;
        match own {
            Some(at) => self.clients[at].1.push_back(job),
            None => self.clients.push_back((client, VecDeque::from([job]))),
        }
        displaced
    }

    /// Removes the jobs that are not `wanted` any more.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        self.clients.iter_mut().for_each(|(_, jobs)| jobs.retain(&wanted));
        self.clients.retain(|(_, jobs)| !jobs.is_empty());
        self.waiting = self.clients.iter().map(|(_, jobs)| jobs.len()).sum();
    }

    pub(crate) fn is_full(&self) -> bool {
        self.waiting >= self.capacity
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
            assert_eq!(queue.push(ClientId::Local(client), job), None);
        }
        let order: Vec<&str> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
    }

    #[test]
    fn one_client_fills_the_queue_and_leaves_room_for_others() {
        let mut queue = FairQueue::new(4);
        let mut push = |client, job| queue.push(ClientId::Local(client), job);
        assert_eq!((1..=5).map(|job| push(1, job)).collect::<Vec<_>>(), [None, None, None, None, Some(5)]);
        assert_eq!([push(2, 6), push(2, 7), push(2, 8)], [Some(4), Some(3), Some(8)]);
        assert_eq!([push(3, 9), push(4, 10), push(5, 11)], [Some(7), Some(2), Some(11)]);
        queue.retain(|job| *job != 1);
        assert_eq!((queue.len(), queue.is_full()), (3, false));
        assert_eq!(std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>(), [6, 9, 10]);
    }

    #[test]
    fn addresses_of_an_ipv6_network_are_one_client() {
        let client = |address: &str| ClientId::from(SocketAddr::new(address.parse().unwrap(), 1));
        assert_eq!(client("2001:db8:1:2::3"), client("2001:db8:1:2:ffff::"));
        assert_ne!(client("2001:db8:1:2::3"), client("2001:db8:1:3::3"));
        assert_ne!(client("203.0.113.7"), client("203.0.113.8"));
        assert_eq!(client("::1"), ClientId::Local(1));
    }

    proptest! {
        /// No job is lost or duplicated, the jobs of a client stay in order, and no waiting client is overtaken twice.
        #[test]
        fn jobs_are_served_round_robin(pushes in prop::collection::vec(0u16..5, 0..40)) {
            let mut queue = FairQueue::new(30);
            let mut accepted = Vec::new();
            for (job, &client) in pushes.iter().enumerate() {
                accepted.push((client, job));
                if let Some(displaced) = queue.push(ClientId::Local(client), (client, job)) {
                    prop_assert_eq!(queue.len(), 30);
                    accepted.retain(|job| *job != displaced);
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
