//! A bounded queue that is fair to every client.

use std::{
    collections::VecDeque,
    net::{IpAddr, SocketAddr},
};

/// Who asks. On this machine every connection is a client of its own; elsewhere a machine is one, however many
/// connections it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Here(u16),
    Elsewhere(IpAddr),
}

impl From<SocketAddr> for Client {
    fn from(address: SocketAddr) -> Self {
        if address.ip().is_loopback() { Self::Here(address.port()) } else { Self::Elsewhere(address.ip()) }
    }
}

/// What waits, client by client: the clients take turns, and each one's jobs keep their order.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    /// Clients with something waiting, the next to be served first.
    clients: VecDeque<(Client, VecDeque<T>)>,
    waiting: usize,
    capacity: usize,
}

impl<T> Queue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { clients: VecDeque::new(), waiting: 0, capacity }
    }

    /// Adds a job, unless the queue is full or this client alone fills half of it.
    pub(crate) fn push(&mut self, client: Client, job: T) -> Result<(), T> {
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

    /// The next job, of the client whose turn it is; it then waits for the others to have theirs.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let (client, mut jobs) = self.clients.pop_front()?;
        let job = jobs.pop_front()?;
        self.waiting -= 1;
        if !jobs.is_empty() {
            self.clients.push_back((client, jobs));
        }
        Some(job)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clients_take_turns() {
        let mut queue = Queue::new(10);
        for (client, job) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            queue.push(Client::Here(client), job).unwrap();
        }
        let order: Vec<&str> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
    }

    #[test]
    fn one_client_leaves_room_for_others() {
        let mut queue = Queue::new(4);
        let mut push = |client, job| queue.push(Client::Here(client), job);
        assert_eq!([push(1, 1), push(1, 2), push(1, 3)], [Ok(()), Ok(()), Err(3)]);
        assert_eq!([push(2, 4), push(3, 5), push(4, 6)], [Ok(()), Ok(()), Err(6)]);
    }

    proptest! {
        /// Nothing is lost or invented, each client's jobs keep their order, and nobody with a job waits while another
        /// has two turns.
        #[test]
        fn nothing_is_lost_and_nobody_waits_for_two_turns_of_another(pushes in prop::collection::vec(0u16..5, 0..40)) {
            let mut queue = Queue::new(30);
            let mut accepted = Vec::new();
            for (job, &client) in pushes.iter().enumerate() {
                if queue.push(Client::Here(client), (client, job)).is_ok() {
                    accepted.push((client, job));
                }
            }
            prop_assert_eq!(queue.waiting(), accepted.len());
            let served: Vec<(u16, usize)> = std::iter::from_fn(|| queue.pop()).collect();
            for client in 0..5 {
                let of = |jobs: &[(u16, usize)]| jobs.iter().filter(|job| job.0 == client).copied().collect::<Vec<_>>();
                prop_assert_eq!(of(&served), of(&accepted));
                let waits: Vec<usize> = (0..served.len()).filter(|&at| served[at].0 == client).collect();
                for pair in waits.windows(2) {
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
