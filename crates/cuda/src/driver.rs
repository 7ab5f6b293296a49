//! Bindings to the CUDA driver, resolved at run time.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::Arc,
};

use pegwise_search::device::DeviceError;

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Flag of `dlopen`: resolve symbols when the library is loaded.
const RTLD_NOW: c_int = 2;

const LIBRARIES: [&CStr; 2] = [c"libcuda.so.1", c"libcuda.so"];

/// Result code of the driver; zero is success.
type Answer = c_int;
/// Address on the card.
type Address = u64;

const OLD_DRIVER: [Answer; 2] = [222, 35];
const OUT_OF_MEMORY: Answer = 2;
/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
const MAX_SHARED: c_int = 8;

/// Declares the functions of the driver, and a constructor that resolves them.
macro_rules! calls {
    ($($field:ident = $name:literal: fn($($argument:ty),*);)*) => {
        struct Calls { $($field: unsafe extern "C" fn($($argument),*) -> Answer,)* }

        impl Calls {
            fn find(library: *mut c_void) -> Result<Self, DeviceError> {
                $(
                    let name: &CStr = $name;
                    // SAFETY: the library stays loaded, and the name is NUL-terminated.
                    let $field = unsafe { dlsym(library, name.as_ptr()) };
                    if $field.is_null() {
                        let why = format!("it has no {}", name.to_string_lossy());
                        return Err(DeviceError { what: "the CUDA driver is too old".into(), why });
                    }
                )*
                Ok(Self {
                    // SAFETY: the driver API declares these symbols with these types.
                    $($field: unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> Answer>($field) },)*
                })
            }
        }
    };
}

calls! {
    init = c"cuInit": fn(u32);
    device_count = c"cuDeviceGetCount": fn(*mut c_int);
    device = c"cuDeviceGet": fn(*mut c_int, c_int);
    device_name = c"cuDeviceGetName": fn(*mut c_char, c_int, c_int);
    retain = c"cuDevicePrimaryCtxRetain": fn(*mut *mut c_void, c_int);
    enter = c"cuCtxSetCurrent": fn(*mut c_void);
    load = c"cuModuleLoadData": fn(*mut *mut c_void, *const c_void);
    function = c"cuModuleGetFunction": fn(*mut *mut c_void, *mut c_void, *const c_char);
    set_function = c"cuFuncSetAttribute": fn(*mut c_void, c_int, c_int);
    allocate = c"cuMemAlloc_v2": fn(*mut Address, usize);
    free = c"cuMemFree_v2": fn(Address);
    to_card = c"cuMemcpyHtoD_v2": fn(Address, *const c_void, usize);
    from_card = c"cuMemcpyDtoH_v2": fn(*mut c_void, Address, usize);
    launch = c"cuLaunchKernel": fn(*mut c_void, u32, u32, u32, u32, u32, u32, u32, *mut c_void, *mut *mut c_void, *mut *mut c_void);
    synchronize = c"cuCtxSynchronize": fn();
    error_text = c"cuGetErrorString": fn(Answer, *mut *const c_char);
}

impl Calls {
    fn check(&self, what: &str, answer: Answer) -> Result<(), DeviceError> {
        if answer == 0 {
            return Ok(());
        }
        let mut text: *const c_char = ptr::null();
        // SAFETY: the pointer is written, or left null for codes without a text.
        unsafe { (self.error_text)(answer, &mut text) };
        let said = if text.is_null() {
            format!("error {answer}")
        } else {
            // SAFETY: texts of the driver are NUL-terminated and static.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        let why = match answer {
            answer if OLD_DRIVER.contains(&answer) => format!("the driver is too old for this program ({said})"),
            OUT_OF_MEMORY => format!("the card has too little memory ({said})"),
            _ => said,
        };
        Err(DeviceError { what: what.to_owned(), why })
    }
}

pub(super) struct Driver {
    calls: Arc<Calls>,
    context: *mut c_void,
    name: String,
}

// SAFETY: the driver may be called from any thread; each enters the context first.
unsafe impl Send for Driver {}
// SAFETY: as above.
unsafe impl Sync for Driver {}

/// Loaded kernels; never unloaded.
pub(super) struct Module {
    module: *mut c_void,
}

pub(super) struct Kernel {
    function: *mut c_void,
}

// SAFETY: a handle of the driver, valid in every thread.
unsafe impl Send for Kernel {}

/// Memory on the card, freed on drop.
pub(super) struct Buffer {
    calls: Arc<Calls>,
    address: Address,
    bytes: usize,
}

/// Types that are copied to and from the card byte by byte.
///
/// # Safety
/// The type has no padding, and every bit pattern is a valid value.
pub(super) unsafe trait PlainData: Copy {}

// SAFETY: integers have no padding, and every bit pattern is a valid value.
unsafe impl PlainData for u32 {}
// SAFETY: as above.
unsafe impl PlainData for u64 {}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the address was allocated by the driver and is owned by this buffer. A failure cannot be reported.
        unsafe { (self.calls.free)(self.address) };
    }
}

#[derive(Default)]
pub(super) struct KernelArguments(Vec<u64>);

impl KernelArguments {
    pub(super) fn address(&mut self, buffer: &Buffer) {
        self.0.push(buffer.address);
    }

    /// Appends a 32-bit number, in the first bytes of its slot.
    pub(super) fn word(&mut self, word: u32) {
        let mut place = [0; 8];
        place[..4].copy_from_slice(&word.to_ne_bytes());
        self.0.push(u64::from_ne_bytes(place));
    }
}

impl Driver {
    /// Loads the driver and creates a context on the first card.
    pub(super) fn load() -> Result<Self, DeviceError> {
        // SAFETY: the names are NUL-terminated; loading the driver has no preconditions.
        let library = LIBRARIES.iter().map(|name| unsafe { dlopen(name.as_ptr(), RTLD_NOW) }).find(|at| !at.is_null());
        let Some(library) = library else {
            let why = "libcuda.so.1 is not on this machine";
            return Err(DeviceError { what: "no CUDA driver".into(), why: why.into() });
        };
        let calls = Calls::find(library)?;
        let (mut count, mut device, mut context) = (0, 0, ptr::null_mut());
        let mut name = [0; 128];
        // SAFETY: every pointer is to a place of the type that the call writes.
        unsafe {
            calls.check("the CUDA driver cannot be started", (calls.init)(0))?;
            calls.check("the driver cannot list its cards", (calls.device_count)(&mut count))?;
            if count == 0 {
                return Err(DeviceError { what: "no graphics card".into(), why: "the driver found no card".into() });
            }
            calls.check("no card", (calls.device)(&mut device, 0))?;
            let named = (calls.device_name)(name.as_mut_ptr(), name.len() as c_int - 1, device);
            calls.check("the name of the card is unknown", named)?;
            calls.check("the card cannot be used", (calls.retain)(&mut context, device))?;
        }
        // SAFETY: the last byte is zero, whatever the driver wrote.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
        Ok(Self { calls: Arc::new(calls), context, name })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Makes the context current in this thread.
    pub(super) fn enter(&self) -> Result<(), DeviceError> {
        // SAFETY: the context belongs to the card and is never destroyed.
        self.calls.check("the card cannot be used", unsafe { (self.calls.enter)(self.context) })
    }

    /// Loads kernels from machine code, or from NUL-terminated PTX.
    pub(super) fn module(&self, bytes: &[u8]) -> Result<Module, DeviceError> {
        let mut module = ptr::null_mut();
        // SAFETY: machine code contains its length, and PTX is NUL-terminated; the pointer is to a place that the call
        // writes.
        let loaded = unsafe { (self.calls.load)(&mut module, bytes.as_ptr().cast()) };
        self.calls.check("the kernels cannot be loaded", loaded)?;
        Ok(Module { module })
    }

    pub(super) fn kernel(&self, module: &Module, name: &str) -> Result<Kernel, DeviceError> {
        let mut function = ptr::null_mut();
        let name = CString::new(name).map_err(|error| DeviceError { what: name.into(), why: error.to_string() })?;
        // SAFETY: the module stays loaded, the name is NUL-terminated, and the pointer is to a place that the call
        // writes.
        let found = unsafe { (self.calls.function)(&mut function, module.module, name.as_ptr()) };
        self.calls.check("the kernel is missing", found)?;
        Ok(Kernel { function })
    }

    /// Copies values to the card.
    pub(super) fn upload<T: PlainData>(&self, values: &[T]) -> Result<Buffer, DeviceError> {
        let calls = &*self.calls;
        let bytes = size_of_val(values).max(1);
        let mut address = 0;
        // SAFETY: the call writes the address; then it reads as many bytes as the values have.
        unsafe {
            let what = || format!("{bytes} bytes on the card");
            calls.check(&what(), (calls.allocate)(&mut address, bytes))?;
            let buffer = Buffer { calls: Arc::clone(&self.calls), address, bytes };
            calls.check(&what(), (calls.to_card)(address, values.as_ptr().cast(), size_of_val(values)))?;
            Ok(buffer)
        }
    }

    /// Copies values from the card, after all launched kernels have finished.
    pub(super) fn download<T: PlainData>(&self, buffer: &Buffer, values: &mut [T]) -> Result<(), DeviceError> {
        assert!(size_of_val(values) <= buffer.bytes, "the buffer is too small");
        // SAFETY: the buffer has at least as many bytes as the values, and every bit pattern is a valid value.
        let copied = unsafe { (self.calls.from_card)(values.as_mut_ptr().cast(), buffer.address, size_of_val(values)) };
        self.calls.check("the card's answer", copied)
    }

    /// Runs a kernel to its end, with `shared` bytes of memory per block of threads.
    pub(super) fn launch(
        &self,
        kernel: &Kernel,
        [columns, rows]: [u32; 2],
        threads: u32,
        shared: u32,
        arguments: &KernelArguments,
    ) -> Result<(), DeviceError> {
        let mut places: Vec<*mut c_void> =
            arguments.0.iter().map(|argument| ptr::from_ref(argument).cast_mut().cast()).collect();
        // SAFETY: the kernel takes these arguments, each in a slot of at least its size; the buffers outlive the
        // synchronization below.
        unsafe {
            let set = (self.calls.set_function)(kernel.function, MAX_SHARED, shared as c_int);
            self.calls.check("the kernel needs more memory per block than the card has", set)?;
            let launched = (self.calls.launch)(
                kernel.function,
                columns,
                rows,
                1,
                threads,
                1,
                1,
                shared,
                ptr::null_mut(),
                places.as_mut_ptr(),
                ptr::null_mut(),
            );
            self.calls.check("the kernel cannot run", launched)?;
            self.calls.check("the kernel failed", (self.calls.synchronize)())
        }
    }
}
